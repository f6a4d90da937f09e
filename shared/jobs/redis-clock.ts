import type { Clock } from '../clock.ts'
import type { RedisConnection } from './redis.ts'

/** A script has a key, so that all processes ask the same node of a cluster. */
const readTime = "return redis.call('TIME')"

/** Returns the time of Redis in milliseconds. All processes can compare their clocks with it. */
export async function timeOf(redis: RedisConnection): Promise<number> {
  const answer = redis.isCluster ? await redis.eval(readTime, 1, 'clock') : await redis.time()
  // Boundary: both answers are the seconds and the microseconds of TIME.
  const [seconds, micros] = answer as [seconds: unknown, micros: unknown]
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}

/** Returns how far `clock` is ahead of the clock of Redis, in milliseconds. The error is at most half of a round trip. */
export async function clockAheadMs(redis: RedisConnection, clock: Clock): Promise<number> {
  const sentAt = clock.now().getTime()
  const redisAt = await timeOf(redis)
  return Math.round((sentAt + clock.now().getTime()) / 2) - redisAt
}
