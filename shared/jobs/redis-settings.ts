import type { Redis } from 'ioredis'
import type { Log } from '../log/log.ts'
import type { RedisConnection } from './redis.ts'

/** The settings of a Redis that can lose jobs. */
export interface RedisSettings {
  /** `maxmemory-policy`. With `noeviction`, a full Redis refuses writes. With any other policy, it drops keys. */
  evictionPolicy: string
  /** Whether Redis writes an append-only file or snapshots. Undefined if it refuses CONFIG, as some providers do. */
  isPersistent: boolean | undefined
}

const cachedForMs = 30_000

/** Returns a function that reads the settings and caches them for 30 s. Failures are not cached. */
export function createRedisSettingsReader(redis: RedisConnection): () => Promise<RedisSettings> {
  let cached: { settings: Promise<RedisSettings>; until: number } | undefined
  return () => {
    if (cached && performance.now() <= cached.until) return cached.settings
    const settings = readRedisSettings(redis)
    cached = { settings, until: performance.now() + cachedForMs }
    settings.catch(() => {
      cached = undefined
    })
    return settings
  }
}

/** Returns the settings. Of the nodes of a cluster it returns the settings that lose most. */
export async function readRedisSettings(redis: RedisConnection): Promise<RedisSettings> {
  const all = await Promise.all(('nodes' in redis ? redis.nodes('master') : [redis]).map(readNode))
  const evicting = all.find(({ evictionPolicy }) => evictionPolicy !== 'noeviction')
  const persistent = all.map(({ isPersistent }) => isPersistent)
  return {
    evictionPolicy: evicting?.evictionPolicy ?? 'noeviction',
    isPersistent: persistent.includes(false) ? false : persistent.every(Boolean) || undefined,
  }
}

async function readNode(redis: Redis): Promise<RedisSettings> {
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

/** Returns a sentence for each setting that the operator must change. */
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

/** Logs the faults when a process starts. Later, readiness and metrics report them. */
export async function warnOfRedisSettings(
  bus: { redisSettings(): Promise<RedisSettings | undefined> },
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const settings = await bus.redisSettings().catch(() => undefined) // readiness reports that Redis is not reachable
  for (const fault of settings ? faultsOfRedisSettings(settings) : []) log.warn({ fault }, 'redis can lose jobs')
}
