import type { Redis } from 'ioredis'

/** A process that nobody asks any more gives way to another one after this time. Longer than it is between two scrapes. */
const heldSeconds = 90

const keyOf = (prefix: string) => `${prefix}:telling`

/**
 * Whether the process of this id is the one that tells figures of the whole service, which nobody may count twice: it is, if it was at its last
 * scrape, or if nobody is. Asked at each scrape, so that a process that is not scraped does not stand in the way.
 */
export async function acquireMetricsLease(redis: Redis, prefix: string, id: string): Promise<boolean> {
  const key = keyOf(prefix)
  if ((await redis.set(key, id, 'EX', heldSeconds, 'NX')) === 'OK') return true
  if ((await redis.get(key)) !== id) return false
  await redis.expire(key, heldSeconds)
  return true
}

/** The next process that is asked takes over. */
export async function releaseMetricsLease(redis: Redis, prefix: string, id: string): Promise<void> {
  const key = keyOf(prefix)
  if ((await redis.get(key)) === id) await redis.del(key)
}
