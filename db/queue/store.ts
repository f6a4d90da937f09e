import type { Database } from '../client.ts'
import { type SqliteStatements, statementsOf } from '../engine/sqlite-statements.ts'

/** The statements of a connection. */
export type Statements = Pick<SqliteStatements, 'prepare'>

/** The rows of one queue. */
export interface QueueStore {
  queue: string
  /** Runs queries outside of transactions. */
  read<Result>(query: (statements: Statements) => Result): Result
  /** Runs `change` in a transaction. `change` gets the time at which it has the write lock. */
  write<Result>(change: (statements: Statements, now: number) => Result): Promise<Result>
}

/**
 * The transactions join the group commits of the process, and do not wait for the disk. A power failure can lose the last of them, as
 * Redis loses what it has not stored. The outbox and the searches queue lost jobs again. A job that is lost after it was done runs again.
 */
export function openQueueStore(db: Database, queue: string): QueueStore {
  return {
    queue,
    read: (query) => query(statementsOf(db.read)),
    write: (change) => db.txAtOnce(async (tx) => change(statementsOf(tx), Date.now()), { mayLoseOnPowerFailure: true }),
  }
}

type Value = string | number | null

/** Returns the rows of a query or of a write with `RETURNING`. `Row` has the columns of `sql`. */
export function all<Row>(statements: Statements, sql: string, values: Record<string, Value>): Row[] {
  return statements.prepare(sql).all(values) as Row[]
}

/** Returns the first row. */
export function first<Row>(statements: Statements, sql: string, values: Record<string, Value>): Row | undefined {
  return all<Row>(statements, sql, values)[0]
}

/** Returns the number of changed rows. */
export function changeRows(statements: Statements, sql: string, values: Record<string, Value>): number {
  return statements.prepare(sql).run(values).changes
}
