import type { Redis } from 'ioredis'
import type { Clock } from '../clock.ts'

/** Returns the time of Redis in milliseconds. All processes can compare their clocks with it. */
export async function timeOf(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}

/** Returns how far `clock` is ahead of the clock of Redis, in milliseconds. The error is at most half of a round trip. */
export async function clockAheadMs(redis: Redis, clock: Clock): Promise<number> {
  const sentAt = clock.now().getTime()
  const redisAt = await timeOf(redis)
  return Math.round((sentAt + clock.now().getTime()) / 2) - redisAt
}
