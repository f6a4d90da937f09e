import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Deadline } from '../../shared/deadline.ts'
import type { PoolStanding } from '../../shared/metrics/process.ts'

/** Runs queries; a write through `Database.read` is refused by the database itself. */
export type Reader = Pick<NodePgDatabase, 'select' | 'selectDistinct' | '$count'>

/** Runs queries and writes inside one transaction. */
export type Writer = Pick<NodePgDatabase, 'select' | 'selectDistinct' | '$count' | 'insert' | 'update' | 'delete'>

export interface TransactionOptions {
  /** Of the request. A transaction that is not committed by then is rolled back, and one that could not be is not committed. */
  deadline?: Deadline
}

export interface AtOnceOptions extends TransactionOptions {
  /**
   * PostgreSQL does not wait for its disk, to which it comes with whatever is committed later, by any process, and waits: for what
   * others go on with, and commit, before anybody is told of it. Nothing of it may be left after a power failure until then.
   */
  isFlushedLater?: boolean
}

export interface Database {
  read: Reader
  /**
   * Runs `work` in one write transaction: committed when it returns, rolled back when it throws. Inside: database calls
   * only, no HTTP, no bus. A `tx` inside a `tx` throws at once instead of waiting for itself.
   */
  tx<Result>(work: (tx: Writer) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /**
   * The same for work that asks all it wants in its first moment, in prepared queries: what it asked is committed with it, in one message
   * on PostgreSQL. Whatever it finds out then undoes nothing any more; a statement that fails does. Where a connection was lost it may
   * run once more after it was committed: who calls can tell.
   */
  txAtOnce<Result>(work: (tx: Writer) => Promise<Result>, options?: AtOnceOptions): Promise<Result>
  /** The same database, whose transactions commit before the deadline or not at all. */
  until(deadline: Deadline): Database
  /** The database that `until` was asked of, for what has to be undone after the deadline; without one, this database itself. */
  withoutDeadline: Database
  /**
   * Puts what was committed into SQLite's file and leaves nothing in its log, which has older states of what was deleted.
   * False when somebody reads or writes at that moment; then another try may do. PostgreSQL keeps its log by its own rules.
   */
  emptyLog(): Promise<boolean>
  /**
   * The times of the migrations that it has run, by which they are known: none where it was never migrated, `unknown` where this user may
   * not ask.
   */
  findMigrationTimes(): Promise<number[] | 'unknown'>
  /** Of SQLite: what the last check of the file found (check-sqlite.ts); undefined where that was nothing. */
  findDamage(): string | undefined
  /** Answers when the database does. */
  ping(): Promise<void>
  /** Of PostgreSQL: how its pools stand in this process. */
  pools(): PoolStanding[]
  close(): Promise<void>
}

/** What each of the two databases provides by itself. */
export type Driver = Omit<Database, 'until' | 'withoutDeadline'>
