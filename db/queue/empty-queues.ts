import type { Database } from '../client.ts'
import { statementsOf } from '../engine/sqlite-statements.ts'
import { queueTables } from './queue-tables.ts'
import { changeRows, first } from './store.ts'

/** The rows of a table that a transaction removes at most. */
const maxRemoved = 1_000

/** Returns whether the queues of a SQLite database have schedules or jobs. */
export function hasQueues(db: Pick<Database, 'read'>): boolean {
  const tables = ['queue_schedulers', 'queue_jobs']
  return tables.some((table) => first(statementsOf(db.read), `SELECT 1 FROM ${table} LIMIT 1`, {}) !== undefined)
}

/**
 * Removes all jobs, schedules and values of a SQLite database. The next scheduler finds no schedules and reports that the queues were emptied.
 * The jobs are then queued again from their rows. Returns the number of jobs.
 */
export async function emptyQueues(db: Pick<Database, 'tx'>): Promise<number> {
  let jobs = 0
  for (const [table, key] of Object.entries(queueTables)) {
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT ${maxRemoved})`
    let removed: number
    do {
      removed = await db.tx(async (tx) => changeRows(statementsOf(tx), sql, {}))
      if (table === 'queue_jobs') jobs += removed
    } while (removed === maxRemoved)
  }
  return jobs
}
