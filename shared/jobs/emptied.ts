import type { Clock } from '../clock.ts'
import { available } from './available.ts'
import type { RedisConnection } from './redis.ts'

/** When Redis was found empty. All jobs that were queued before are lost. */
export interface Emptied {
  /**
   * Undefined if Redis was never found empty. Reads it at most once a second. While Redis is unavailable, the last result. Never later than
   * the time of `clock` at which this process first read it, because the clock of the scheduler can be ahead.
   */
  emptiedAt(clock: Clock): Promise<Date | undefined>
  reportEmptied(at: Date): Promise<void>
}

/** Workers know of a loss within this time, and the scheduler finds it within 2 s. */
const cachedForMs = 1_000

export function createEmptied(redis: RedisConnection, prefix: string): Emptied {
  const key = `${prefix}:emptied-at`
  let stored: string | null = null
  let latest: Date | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return {
    async emptiedAt(clock) {
      if (performance.now() - readAt < cachedForMs) return latest
      readAt = performance.now()
      try {
        const read = await redis.get(key)
        if (read !== stored) latest = read === null ? undefined : earlier(new Date(read), clock.now())
        stored = read
      } catch {
        // Readiness and each command report the outage.
      }
      return latest
    },
    async reportEmptied(at) {
      await available(redis.set(key, at.toISOString()))
    },
  }
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
