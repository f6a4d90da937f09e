import type { Database } from '../client.ts'
import type { PostgresAccess } from '../engine/database.ts'
import { statementsOf } from '../engine/sqlite-statements.ts'
import { isWithoutQueues, queueSchema } from './queue-schema.ts'
import { postgresQueueTables, queueTables } from './queue-tables.ts'
import { changeRows, first } from './store.ts'

/** The rows of a table that a transaction removes at most. */
const maxRemoved = 1_000

/** Returns whether the queues of a database have schedules or jobs. */
export async function hasQueues({ postgres, read }: Pick<Database, 'read' | 'postgres'>): Promise<boolean> {
  if (postgres) return (await readQueueSchema(postgres)).hasJobs
  const tables = ['queue_schedulers', 'queue_jobs']
  return tables.some((table) => first(statementsOf(read), `SELECT 1 FROM ${table} LIMIT 1`, {}) !== undefined)
}

/** A database of a service that always had its queues in Redis can lack the schema, or the user may not use it. */
async function readQueueSchema({ read }: PostgresAccess): Promise<{ isUsable: boolean; hasJobs: boolean }> {
  const text = `(SELECT 1 FROM ${queueSchema}.scheduler LIMIT 1) UNION ALL (SELECT 1 FROM ${queueSchema}.job LIMIT 1)`
  try {
    const rows = await read({ name: 'queue_has_jobs', text }, [])
    return { isUsable: true, hasJobs: rows.length > 0 }
  } catch (error) {
    if (isWithoutQueues(error)) return { isUsable: false, hasJobs: false }
    throw error
  }
}

/**
 * Removes all jobs, schedules and values of a database. The next scheduler finds no schedules and reports that the queues were emptied.
 * The jobs are then queued again from their rows. Returns the number of jobs.
 */
export async function emptyQueues({ postgres, tx }: Pick<Database, 'tx' | 'postgres'>): Promise<number> {
  const tables = postgres ? await postgresTables(postgres) : queueTables
  let jobs = 0
  for (const [table, key] of Object.entries(tables)) {
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT ${maxRemoved})`
    let removed: number
    do {
      removed = postgres
        ? await countRemoved(postgres, table, sql)
        : await tx(async (each) => changeRows(statementsOf(each), sql, {}))
      if (table === 'queue_jobs' || table === `${queueSchema}.job`) jobs += removed
    } while (removed === maxRemoved)
  }
  return jobs
}

/** Schedules are first, as in `queueTables`. The removal of a job removes the rows that belong to it. */
async function postgresTables(postgres: PostgresAccess): Promise<Record<string, string>> {
  const ofBullMq = {
    [`${queueSchema}.scheduler`]: 'queue, scheduler_id',
    [`${queueSchema}.job`]: 'queue, id',
    [`${queueSchema}.meta`]: 'queue, field',
  }
  const { isUsable } = await readQueueSchema(postgres)
  return { ...(isUsable && ofBullMq), ...postgresQueueTables }
}

async function countRemoved({ write }: PostgresAccess, table: string, sql: string): Promise<number> {
  return (await write({ name: `empty_${table}`, text: `${sql} RETURNING 1` }, [])).length
}
