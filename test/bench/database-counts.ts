import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Totals of PostgreSQL since its start. */
export interface DatabaseCounts {
  transactions: number
  /** Without the statements that begin and end transactions. */
  statements: number
  tuplesFetched: number
  tuplesWritten: number
  /** At most: a partial index may have no entry for a row. */
  indexEntries: number
  walBytes: number
}

/** An idle connection reports its counts within ten seconds. The few statements of workers in that time count too. */
const reportedWithinMs = 11_000

const counts = `
  SELECT xact_commit::int AS transactions, tup_fetched::int AS "tuplesFetched",
    (tup_inserted + tup_updated + tup_deleted)::int AS "tuplesWritten",
    (SELECT sum(calls)::int FROM pg_stat_statements
      WHERE dbid = pg_stat_database.datid AND query !~* '^(begin|commit|rollback)') AS statements,
    (
      SELECT sum((n_tup_ins + n_tup_upd - n_tup_hot_upd) * (SELECT count(*) FROM pg_index WHERE indrelid = relid))::int
      FROM pg_stat_user_tables
    ) AS "indexEntries",
    (SELECT wal_bytes::float8 FROM pg_stat_wal) AS "walBytes"
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
    if (!rows[0]) throw new Error('PostgreSQL has no counts for this database')
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
    indexEntries: per('indexEntries'),
    walBytes: per('walBytes'),
  }
}

/** A text such as `9.2 transactions, 19.0 statements, 35.1 tuples fetched, 24.3 written, 70 index entries, 21000 bytes of WAL`. */
export function countsText(counts: DatabaseCounts): string {
  const { transactions, statements, tuplesFetched, tuplesWritten, indexEntries, walBytes } = counts
  const text = (count: number) => count.toFixed(1)
  return `${text(transactions)} transactions, ${text(statements)} statements, ${text(tuplesFetched)} tuples fetched, ${text(tuplesWritten)} written, ${text(indexEntries)} index entries, ${walBytes.toFixed(0)} bytes of WAL`
}
