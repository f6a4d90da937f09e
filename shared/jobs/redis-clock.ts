import type { Redis } from 'ioredis'
import type { Clock } from '../clock.ts'

/** The clock of Redis, in milliseconds: the one clock that all processes can ask. */
export async function timeOf(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}

/** How far `clock` is ahead of Redis's clock, in milliseconds; negative when it is behind. As exact as one round trip is fast. */
export async function clockAheadMs(redis: Redis, clock: Clock): Promise<number> {
  const askedAt = clock.now().getTime()
  const redisAt = await timeOf(redis)
  return Math.round((askedAt + clock.now().getTime()) / 2) - redisAt
}
