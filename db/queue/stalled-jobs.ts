import type { PgQueryable } from 'bullmq'

/** Finds out for all queues of a process at once whether a job was interrupted. */
export interface StalledJobs {
  /** Returns whether the lock of an active job has expired. Reads only when a lock can have expired since the last read. */
  isAny(queue: string, lockMs: number): Promise<boolean>
}

const readText = `SELECT each.queue,
    (SELECT min(locked_until_ms)::float8 FROM job WHERE job.queue = each.queue AND state = 'active') AS "expiresAt"
  FROM unnest($1::text[]) AS each (queue)`

/**
 * A lock lasts at least as long as that of a job that is taken now. So the next read of a queue is when the first lock expires, or when a lock of
 * now would expire.
 */
export function createStalledJobs({ query }: PgQueryable): StalledJobs {
  const lockTimes = new Map<string, number>()
  const readAt = new Map<string, number>()

  /** Returns the queues with an expired lock. */
  async function read(): Promise<Set<string>> {
    const now = Date.now()
    const { rows } = await query<{ queue: string; expiresAt: number | null }>(readText, [[...lockTimes.keys()]])
    for (const { queue, expiresAt } of rows)
      readAt.set(queue, Math.min(expiresAt ?? Number.POSITIVE_INFINITY, now + (lockTimes.get(queue) ?? 0)))
    return new Set(rows.flatMap(({ queue, expiresAt }) => (expiresAt !== null && expiresAt < now ? [queue] : [])))
  }

  return {
    async isAny(queue, lockMs) {
      lockTimes.set(queue, lockMs)
      const waitMs = (readAt.get(queue) ?? 0) - Date.now()
      // A longer wait means that the clock was set back.
      if (waitMs > 0 && waitMs <= lockMs) return false
      return (await read()).has(queue)
    },
  }
}
