import { connectPatient } from '../../shared/jobs/redis.ts'

export type RedisCommands = Map<string, { calls: number; microseconds: number }>

/**
 * The cost of each kind of command since the start of Redis, by its own statistics. Commands of scripts count in
 * addition to the script.
 */
export async function readRedisCommands(url: string): Promise<RedisCommands> {
  const redis = connectPatient(url)
  const text = await redis.info('commandstats')
  redis.disconnect()
  const lines = text.matchAll(/cmdstat_(\S+?):calls=(\d+),usec=(\d+)/g)
  return new Map(
    [...lines].map(([, name = '', calls, usec]) => [name, { calls: Number(calls), microseconds: Number(usec) }]),
  )
}

export function printRedisCommands(
  before: RedisCommands,
  after: RedisCommands,
  { name: phase, count }: { name: string; count: number },
): void {
  console.log(`\nRedis commands per flow: ${phase}`)
  const spent = [...after].map(([name, { calls, microseconds }]) => {
    const { calls: callsBefore = 0, microseconds: usBefore = 0 } = before.get(name) ?? {}
    return { name, calls: (calls - callsBefore) / count, microseconds: (microseconds - usBefore) / count }
  })
  for (const { name, calls, microseconds } of spent.sort((a, b) => b.microseconds - a.microseconds).slice(0, 15)) {
    console.log(`  ${microseconds.toFixed(1).padStart(9)} µs ${calls.toFixed(2).padStart(7)} calls  ${name}`)
  }
}
