import type { Clock } from '../clock.ts'
import { available } from './available.ts'
import type { RedisConnection } from './redis.ts'

/** When the queues were found empty. All jobs that were queued before are lost. */
export interface Emptied {
  /**
   * Undefined if they were never found empty. Reads it at most once a second. During an outage, the last result. Never later than
   * the time of `clock` at which this process first read it, because the clock of the scheduler can be ahead.
   */
  emptiedAt(clock: Clock): Promise<Date | undefined>
  reportEmptied(at: Date): Promise<void>
}

/** Workers know of a loss within this time, and the scheduler finds it within 2 s. */
const cachedForMs = 1_000

/** Where the processes of a service keep the time. */
interface EmptiedStore {
  read(): Promise<string | null>
  write(text: string): Promise<unknown>
}

export function redisEmptied(redis: RedisConnection, prefix: string): EmptiedStore {
  const key = `${prefix}:emptied-at`
  return { read: () => redis.get(key), write: (text) => redis.set(key, text) }
}

export function createEmptied(store: EmptiedStore): Emptied {
  let stored: string | null = null
  let latest: Date | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return {
    async emptiedAt(clock) {
      if (performance.now() - readAt < cachedForMs) return latest
      readAt = performance.now()
      try {
        const read = await store.read()
        if (read !== stored) latest = read === null ? undefined : earlier(new Date(read), clock.now())
        stored = read
      } catch {
        // Readiness and each command report the outage.
      }
      return latest
    },
    async reportEmptied(at) {
      await available(store.write(at.toISOString()))
    },
  }
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
