import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Totals of PostgreSQL since its start. */
export interface DatabaseCounts {
  transactions: number
  /** Without the statements that begin and end transactions. */
  statements: number
  tuplesFetched: number
  tuplesWritten: number
}

/** An idle connection reports its counts within ten seconds. The few statements of workers in that time count too. */
const reportedWithinMs = 11_000

const counts = `
  SELECT xact_commit::int AS transactions, tup_fetched::int AS "tuplesFetched",
    (tup_inserted + tup_updated + tup_deleted)::int AS "tuplesWritten",
    (SELECT sum(calls)::int FROM pg_stat_statements WHERE query !~* '^(begin|commit|rollback)') AS statements
  FROM pg_stat_database WHERE datname = current_database()`

/** Waits until all counts are reported. Undefined on SQLite, which does not count. */
export async function readDatabaseCounts(url: string): Promise<DatabaseCounts | undefined> {
  if (url.startsWith('file:')) return undefined
  await sleep(reportedWithinMs)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    const { rows } = await client.query<DatabaseCounts>(counts)
    return rows[0]
  } finally {
    await client.end()
  }
}

export function countsPerFlow(before: DatabaseCounts, after: DatabaseCounts, flows: number): DatabaseCounts {
  const per = (name: keyof DatabaseCounts) => (after[name] - before[name]) / flows
  return {
    transactions: per('transactions'),
    statements: per('statements'),
    tuplesFetched: per('tuplesFetched'),
    tuplesWritten: per('tuplesWritten'),
  }
}

/** A text such as `9.2 transactions, 19.0 statements, 35.1 tuples fetched, 24.3 written`. */
export function countsText({ transactions, statements, tuplesFetched, tuplesWritten }: DatabaseCounts): string {
  const text = (count: number) => count.toFixed(1)
  return `${text(transactions)} transactions, ${text(statements)} statements, ${text(tuplesFetched)} tuples fetched, ${text(tuplesWritten)} written`
}
