import { available } from './available.ts'
import type { RedisConnection } from './redis.ts'

/** When Redis was found empty. All jobs that were queued before are lost. */
export interface Emptied {
  /** Undefined if Redis was never found empty. Reads it at most once a second. While Redis is unavailable, the last result. */
  emptiedAt(): Promise<Date | undefined>
  reportEmptied(at: Date): Promise<void>
}

/** Workers know of a loss within this time, and the scheduler finds it within 2 s. */
const cachedForMs = 1_000

export function createEmptied(redis: RedisConnection, prefix: string): Emptied {
  const key = `${prefix}:emptied-at`
  let known: Date | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return {
    async emptiedAt() {
      if (performance.now() - readAt < cachedForMs) return known
      readAt = performance.now()
      try {
        const stored = await redis.get(key)
        known = stored === null ? undefined : new Date(stored)
      } catch {
        // Readiness and each command report the outage.
      }
      return known
    },
    async reportEmptied(at) {
      await available(redis.set(key, at.toISOString()))
    },
  }
}
