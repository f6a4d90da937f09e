import type { PgPool, PgQueryable } from 'bullmq'
import type { PostgresAccess } from '../engine/database.ts'
import { DatabaseUnavailable, isUnanswered, translateError } from '../engine/unavailable.ts'
import { queueSchema } from './queue-schema.ts'

/** The connections of a process for all its queues. A statement takes a connection only while it runs. */
const maxConnections = 4

/**
 * A commit does not wait for the disk. A power failure can lose the last of them, as Redis loses what it has not stored. Jobs of the outbox
 * are not lost: their rows are removed by a commit that waits, and the log is in order.
 */
const session = [`SET search_path = ${queueSchema}`, 'SET synchronous_commit = off']

/** The connections of the queues in PostgreSQL, in the form of a pool that BullMQ accepts. */
export interface QueueConnections extends PgPool {
  options: { keepAlive: boolean }
}

/** Opens them with the rules of all connections to the database. Statements throw `DatabaseUnavailable` while it is not reachable. */
export function openQueueConnections({ openPool }: Pick<PostgresAccess, 'openPool'>): QueueConnections {
  const pool = openPool({ readOnly: false, max: maxConnections, session })
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `queue_${names.size}`
    names.set(text, name)
    return name
  }
  const run: PgQueryable['query'] = async (text, values = []) => {
    const client = await pool.connect().catch((error: unknown) => Promise.reject(new DatabaseUnavailable(error)))
    try {
      const result = await client.query({ name: nameOf(text), text, values: [...values] })
      client.release()
      return result
    } catch (error) {
      const failure = translateError(error)
      if (isUnanswered(error)) pool.renewAll()
      client.release(failure instanceof DatabaseUnavailable || isOutdatedPlan(error))
      throw failure
    }
  }
  const query: PgQueryable['query'] = async (text, values) => {
    for (let outdated = 0; ; outdated++) {
      try {
        return await run(text, values)
      } catch (error) {
        if (!isOutdatedPlan(error) || outdated === maxConnections) throw error
      }
    }
  }
  const connections: QueueConnections = {
    // BullMQ limits the wait for a job to 10 s, because its notification can be lost.
    options: { keepAlive: false },
    query,
    connect: () => Promise.reject(new Error('Queues take no connection for longer than a statement.')),
    end: () => pool.end(),
    // Each statement reports its own failure.
    on: () => connections,
    removeAllListeners: () => connections,
  }
  return connections
}

/**
 * Returns true for the error of a statement that a connection has prepared before a later version migrated the queues and changed its columns.
 * The statement had no effect. A new connection prepares it again.
 */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}
