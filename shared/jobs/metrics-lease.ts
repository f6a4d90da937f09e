import type { RedisConnection } from './redis.ts'

/** A process that is no longer scraped loses the lease after this time. It is longer than the interval between two scrapes. */
const leaseSeconds = 90

const keyOf = (prefix: string) => `${prefix}:telling`

/**
 * Takes or renews the right to report the metrics of the whole service. Returns false if another process has it. Each scrape calls it,
 * so that a process without scrapes does not hold the lease.
 */
export async function acquireMetricsLease(redis: RedisConnection, prefix: string, processId: string): Promise<boolean> {
  const key = keyOf(prefix)
  if ((await redis.set(key, processId, 'EX', leaseSeconds, 'NX')) === 'OK') return true
  if ((await redis.get(key)) !== processId) return false
  await redis.expire(key, leaseSeconds)
  return true
}

/** Gives the lease back. The next process that is scraped takes it. */
export async function releaseMetricsLease(redis: RedisConnection, prefix: string, processId: string): Promise<void> {
  const key = keyOf(prefix)
  if ((await redis.get(key)) === processId) await redis.del(key)
}
