import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'

/** Counts what happens, by key and minute. A minute begins with the first of its key. */
export interface Counters {
  /** Counts one more: how many it are now, and when they are forgotten. */
  count(key: string): Promise<{ count: number; forgottenInMs: number }>
}

const options = { points: Number.MAX_SAFE_INTEGER, duration: 60 } // how many are too many, the caller knows

/** In this process alone, without a round trip. */
export function createProcessCounters(): Counters {
  const limiter = new RateLimiterMemory(options)
  return { count: async (key) => counted(await limiter.consume(key)) }
}

/** In Redis, over all processes; in this process alone while Redis is away. */
export function createSharedCounters(redis: Redis, prefix: string): Counters {
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    keyPrefix: `${prefix}:counters`,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(options),
  })
  return { count: async (key) => counted(await limiter.consume(key)) }
}

function counted({ consumedPoints, msBeforeNext }: RateLimiterRes) {
  return { count: consumedPoints, forgottenInMs: msBeforeNext }
}
