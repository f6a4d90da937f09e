import type { Redis } from 'ioredis'
import type { Log } from '../log.ts'

/** What of the settings of a Redis can lose jobs. */
export interface RedisSettings {
  /** `maxmemory-policy`: with `noeviction` Redis refuses writes when it is full, with any other it drops keys. */
  evictionPolicy: string
  /** It writes an append-only file or snapshots. Undefined where it does not say: some providers refuse CONFIG. */
  isPersistent: boolean | undefined
}

export async function readRedisSettings(redis: Redis): Promise<RedisSettings> {
  const [memory, persistence] = [await redis.info('memory'), await redis.info('persistence')]
  const appends = /^aof_enabled:1\r?$/m.test(persistence)
  return {
    evictionPolicy: /^maxmemory_policy:([\w-]+)\r?$/m.exec(memory)?.[1] ?? 'noeviction',
    isPersistent: appends || (await savesSnapshots(redis)),
  }
}

async function savesSnapshots(redis: Redis): Promise<boolean | undefined> {
  const answer = await redis.config('GET', 'save').catch(() => undefined)
  return Array.isArray(answer) ? answer[1] !== '' : undefined
}

/** What an operator has to change, in sentences. */
export function faultsOfRedisSettings({ evictionPolicy, isPersistent }: RedisSettings): string[] {
  return [
    ...(evictionPolicy === 'noeviction'
      ? []
      : [`Redis evicts keys (maxmemory-policy ${evictionPolicy}): jobs can be lost. Set it to noeviction`]),
    ...(isPersistent === false
      ? ['Redis writes nothing to disk: a restart loses jobs and analytics. Set appendonly to yes']
      : []),
  ]
}

/** Logs each of them, at the start of a process. Readiness and metrics tell them from then on. */
export async function warnOfRedisSettings(
  bus: { redisSettings(): Promise<RedisSettings> },
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const settings = await bus.redisSettings().catch(() => undefined) // Redis went away again: readiness tells it
  for (const fault of settings ? faultsOfRedisSettings(settings) : []) log.warn({ fault }, 'redis can lose jobs')
}
