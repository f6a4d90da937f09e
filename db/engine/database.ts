import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Deadline } from '../../shared/deadline.ts'
import type { PoolStatus } from '../../shared/metrics/process.ts'
import type { ConnectionPool, PoolOptions } from './postgres-pool.ts'
import type { Signals } from './postgres-signals.ts'

/** Runs queries. The database refuses writes through `Database.read`. */
export type Reader = Pick<NodePgDatabase, 'select' | 'selectDistinct' | '$count'>

/** Runs queries and writes inside one transaction. */
export type Writer = Pick<NodePgDatabase, 'select' | 'selectDistinct' | '$count' | 'insert' | 'update' | 'delete'>

export interface TransactionOptions {
  /**
   * The deadline of the request. A transaction that is not committed by then is rolled back. A transaction that could
   * not commit in time is not committed.
   */
  deadline?: Deadline
}

export interface AtOnceOptions extends TransactionOptions {
  /**
   * The commit does not wait for the disk. A later commit of any process that waits also flushes this one. Use it for
   * work whose effects are invisible until such a later commit. A power failure before it may lose the transaction.
   */
  mayLoseOnPowerFailure?: boolean
}

export interface WithNextOptions extends AtOnceOptions {
  /** A transaction of the process that begins earlier does not take this one along. The default is 0. */
  afterMs?: number
  withinMs: number
}

/** The state of the standby for reads. */
export interface StandbyStatus {
  /** The lag of the standby behind the primary. Undefined if it does not answer, or is no standby of the primary. */
  lagSeconds: number | undefined
  /** A sentence that says what the operator must do. */
  problem: string | undefined
}

/** Operations of PostgreSQL for values that no transaction needs (db/queue). */
export interface PostgresAccess {
  read: RunStatement
  /** Runs a statement in a transaction of its own. If its connection is lost, it can run twice. */
  write: RunStatement
  /** The host and the name of the database, without a password. */
  address: string
  /** Opens connections for queues, with other settings of their sessions. `pools` reports them until they end. */
  openPool(options: PoolOptions): ConnectionPool
  /** Opens signals between the processes. They have a connection of their own. */
  openSignals(): Signals
}

/** Runs a statement, which each connection prepares once under its name. Returns the values of its rows as texts. */
export type RunStatement = (
  statement: { name: string; text: string },
  values: readonly (string | number)[],
) => Promise<(string | null)[][]>

export interface Database {
  read: Reader
  /** Undefined on SQLite. */
  postgres: PostgresAccess | undefined
  /**
   * Returns a reader for operations that only read. It uses the standby of `DATABASE_READ_URL` if the standby has everything that was
   * committed before this call, and otherwise the primary. Without a standby it is `read`.
   */
  standbyRead(): Promise<Reader>
  /** Measures the standby. Returns undefined without a standby. */
  measureStandby(): Promise<StandbyStatus | undefined>
  /**
   * Runs `work` in one write transaction. Commits when `work` returns, rolls back when it throws. Inside, use only
   * database calls, no HTTP and no bus. A `tx` inside a `tx` throws immediately instead of waiting for itself.
   */
  tx<Result>(work: (tx: Writer) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /**
   * Runs a transaction whose work issues all of its prepared queries immediately. On PostgreSQL the queries and the
   * commit are one message. A statement that fails rolls everything back, but an error that `work` throws after the
   * results does not. If the connection is lost, the transaction may run again after it was committed. The caller must
   * detect this.
   */
  txAtOnce<Result>(work: (tx: Writer) => Promise<Result>, options?: AtOnceOptions): Promise<Result>
  /**
   * Runs a transaction like `txAtOnce`, which begins with the next transaction of this process, at the latest after `withinMs`. If the
   * next one is not a `tx` of PostgreSQL, both share a commit. Use it for writes that can wait.
   */
  txWithNext<Result>(work: (tx: Writer) => Promise<Result>, options: WithNextOptions): Promise<Result>
  /** Returns the same database with transactions that commit before the deadline or not at all. */
  until(deadline: Deadline): Database
  /**
   * The database on which `until` was called, for cleanup after the deadline. Without a deadline, the database itself.
   */
  withoutDeadline: Database
  /**
   * Moves commits from SQLite's log to its file and truncates the log, which has older states of deleted rows. Returns
   * false if another connection reads or writes at that moment. A retry may succeed. PostgreSQL manages its log itself.
   */
  emptyLog(): Promise<boolean>
  /**
   * Returns the times of the migrations that have run, which identify them. Returns an empty list if the database was
   * never migrated, and `unknown` if this user may not read the table.
   */
  findMigrationTimes(): Promise<number[] | 'unknown'>
  /** Returns whether the database is the target of a copy that did not end (db/copy). */
  isUnfinishedCopy(): Promise<boolean>
  /** Returns what the last check of a SQLite file found (check-sqlite.ts). Returns undefined if it found no damage. */
  findDamage(): string | undefined
  /** Resolves if the database responds. */
  ping(): Promise<void>
  /** Returns false behind a pooler that gives each transaction any server connection, so that settings of a session are lost. */
  keepsSessions(): Promise<boolean>
  /** The state of the PostgreSQL pools in this process. */
  pools(): PoolStatus[]
  close(): Promise<void>
}

/** The functions that each of the two databases implements. */
export type Driver = Omit<Database, 'until' | 'withoutDeadline' | 'txWithNext'>
