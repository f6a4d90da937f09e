import { setTimeout as sleep } from 'node:timers/promises'
import type { StandbyStatus } from '../../../db/engine/database.ts'
import { findMigrationStatus, notMigrated } from '../../../db/engine/migrated.ts'
import { type KeyComparison, listKeyComparisons } from '../../../db/repos/identifiers/key-comparisons.ts'
import { findLatePurges } from '../../../db/retention/oldest-expired.ts'
import { minuteMs } from '../../../shared/clock.ts'
import type { SigningStatus } from '../../../shared/jobs/heartbeat.ts'
import { faultsOfRedisSettings, type RedisSettings } from '../../../shared/jobs/redis-settings.ts'
import { innermost } from '../../../shared/process/dependency.ts'
import type { QueueIn } from '../../../shared/settings/config.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'
import type { Lifecycle } from '../../process/lifecycle.ts'

export type DependencyState = 'ok' | 'unavailable'

export interface Readiness {
  /** Whether this process serves requests and can have credentials signed. With a signing process on its machine, the check `redis` does not count. */
  isReady: boolean
  phase: Lifecycle['phase']
  checks: { database: DependencyState; redis: DependencyState; signing: DependencyState }
  /** With the queues in the database, the check `redis` is the check of the database. */
  queue: QueueIn
  /** The providers of private keys besides the software, of the running signing processes. */
  keyProviders: { name: string; status: DependencyState }[]
  /** The problems that an operator must solve, as sentences. */
  problems: string[]
  /** The time by which the clock of this process is ahead of the clock of Redis. Undefined while Redis is unreachable. */
  clockAheadMs: number | undefined
  /** Undefined while Redis is unreachable. */
  redisSettings: RedisSettings | undefined
  /** Undefined without a standby, or while the database is unreachable. */
  standby: StandbyStatus | undefined
}

const latePurgesTtlMs = 30_000

/** The tables whose expired rows are purged too late, under one key. The statement reads many tables, and `GET /health/ready` is public. */
export const latePurgesCache = defineCache<'all', Promise<string[]>>('latePurges', { max: 1, ttl: latePurgesTtlMs })

type MissingKeys = Pick<KeyComparison, 'provider' | 'missingCount'>

/** The last comparisons of keys with their providers, under one key. */
export const missingKeysCache = defineCache<'all', Promise<MissingKeys[]>>('missingKeys', {
  max: 1,
  ttl: 10 * minuteMs,
})

type Needs = Pick<Deps, 'db' | 'bus' | 'clock' | 'config' | 'lifecycle' | 'caches'>

/** Checks the dependencies of this process. */
export async function checkReadiness(deps: Needs): Promise<Readiness> {
  const { db, bus, clock, config, lifecycle } = deps
  const [database, clockAheadMs, signing, redisSettings, sentinels, latePurges, standby, missingKeys] =
    await Promise.all([
      inTime(findMigrationStatus(db)),
      // A cluster can have a node that answers, and another one that does not.
      inTime(bus.ping().then(() => bus.clockAheadMs(clock))),
      inTime(bus.signingStatus()),
      inTime(bus.redisSettings()),
      inTime(bus.sentinelFaults()),
      inTime(readLatePurges(deps)),
      inTime(db.measureStandby()),
      inTime(readMissingKeys(deps)),
    ])
  const redis = clockAheadMs !== undefined
  const hasSigner = bus.hasSignerOnMachine()
  // Heartbeats are writes. While Redis refuses writes, signing processes seem to have ended.
  const refusal = signing && !signing.isRunning ? await inTime(refusalOfWrites(bus)) : undefined
  const damage = db.findDamage()
  const missing = database?.missing ?? []
  const checks = {
    database: judge(database && missing.length === 0),
    redis: judge(redis && refusal === undefined),
    signing: judge(signing?.isRunning || hasSigner),
  }
  const conditions = {
    'The database does not answer': !database,
    [`The database ${notMigrated(missing)}`]: missing.length > 0,
    [`The database is damaged: ${damage}. Stop the service and restore a backup`]: damage !== undefined,
    'Redis does not answer': !redis && bus.queueIn === 'redis',
    [`Redis refuses to write (${refusal})`]: refusal !== undefined,
    'A signing process has another SERVICE_SECRET than this process': signing?.hasOtherSecret,
    'A signing process has ended, because its KEY_ENCRYPTION_KEY opens no private key in the database':
      signing?.cannotOpenKeys,
    [`Expired rows of these tables have waited for more than an hour to be purged: ${latePurges?.join(', ')}`]:
      latePurges && latePurges.length > 0,
    'No signing process runs':
      signing && checks.signing !== 'ok' && !signing.hasOtherSecret && !signing.cannotOpenKeys && refusal === undefined,
  }
  return {
    isReady:
      lifecycle.phase === 'serving' &&
      Object.values({ ...checks, ...(hasSigner && { redis: 'ok' }) }).every((check) => check === 'ok'),
    phase: lifecycle.phase,
    checks,
    queue: bus.queueIn,
    keyProviders: presentProviders(signing),
    problems: [
      ...Object.entries(conditions).flatMap(([problem, is]) => (is ? [problem] : [])),
      ...(standby?.problem ? [standby.problem] : []),
      ...(sentinels ?? []),
      ...faultsOfKeys(signing, missingKeys),
      ...faultsOfClocks(clockAheadMs, signing),
      ...(config.production && redisSettings ? faultsOfRedisSettings(redisSettings) : []),
    ],
    clockAheadMs,
    redisSettings,
    standby,
  }
}

/** Returns the code of the error by which Redis refuses writes, such as `READONLY`, `MISCONF` or `OOM`. Returns undefined if it writes. */
async function refusalOfWrites(bus: Deps['bus']): Promise<string | undefined> {
  try {
    await bus.requireWritable()
    return undefined
  } catch (thrown) {
    const error = innermost(thrown)
    return error instanceof Error && error.name === 'ReplyError' ? error.message.split(' ', 1)[0] : undefined
  }
}

/** Reads the tables at most once in 30 s. */
function readLatePurges({ db, clock, caches }: Needs): Promise<string[]> {
  const cache = caches.of(latePurgesCache)
  const cached = cache.get('all')
  if (cached) return cached
  const read = findLatePurges(db.read, clock.now())
  cache.set('all', read)
  read.catch(() => cache.delete('all'))
  return read
}

/** Reads the last comparisons of keys at most once in ten minutes, because a signing process makes them as often. */
function readMissingKeys({ db, caches }: Needs): Promise<MissingKeys[]> {
  const cache = caches.of(missingKeysCache)
  const cached = cache.get('all')
  if (cached) return cached
  const read = listKeyComparisons(db.read)
  cache.set('all', read)
  read.catch(() => cache.delete('all'))
  return read
}

function presentProviders(signing: SigningStatus | undefined): Readiness['keyProviders'] {
  return signing?.keyProviders.map(({ name, isUp }) => ({ name, status: judge(isUp) })) ?? []
}

/** Names no key and no tenant, because everyone can read it. */
function faultsOfKeys(signing: SigningStatus | undefined, missingKeys: MissingKeys[] = []): string[] {
  const away = signing?.keyProviders.filter(({ isUp }) => !isUp) ?? []
  return [
    ...away.map(({ name }) => `The key provider ${name} does not answer a signing process`),
    ...missingKeys
      .filter(({ missingCount }) => missingCount > 0)
      .map(
        ({ provider, missingCount }) =>
          `The key provider ${provider} lacks private keys of the database (${missingCount}), so that signatures fail. Run "trustwright keys check"`,
      ),
  ]
}

/** Larger than any delay of a heartbeat, and smaller than the shortest lifetime of a signed object. */
const maxSkewMs = 30_000

/** Compares all clocks with the clock of Redis, which every process can read. */
function faultsOfClocks(ownMs: number | undefined, signing: SigningStatus | undefined): string[] {
  const clocks = [
    ...(ownMs === undefined ? [] : [{ process: 'this', aheadMs: ownMs }]),
    ...(signing?.clocksAheadMs ?? []).map(({ process, aheadMs }) => ({ process: `a ${process}`, aheadMs })),
  ]
  return clocks
    .filter(({ aheadMs }) => Math.abs(aheadMs) > maxSkewMs)
    .map(({ process, aheadMs }) => {
      const seconds = Math.round(Math.abs(aheadMs) / 1000)
      const direction = aheadMs > 0 ? 'ahead of' : 'behind'
      return `The clock of ${process} process is ${seconds} s ${direction} the clock of Redis: synchronize them (NTP)`
    })
}

const timeoutMs = 3_000

/** Returns undefined if the answer is late or fails. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  const late = sleep(timeoutMs, undefined, { ref: false })
  return Promise.race([answer, late]).catch(() => undefined)
}

function judge(isGood: boolean | undefined): DependencyState {
  return isGood ? 'ok' : 'unavailable'
}
