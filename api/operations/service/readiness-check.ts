import { setTimeout as sleep } from 'node:timers/promises'
import { findMigrationStanding, notMigrated } from '../../../db/engine/migrated.ts'
import { findLatePurges } from '../../../db/retention/oldest-expired.ts'
import type { SigningStatus } from '../../../shared/jobs/heartbeat.ts'
import { faultsOfRedisSettings, type RedisSettings } from '../../../shared/jobs/redis-settings.ts'
import type { Deps, Life } from '../../deps.ts'

export type Check = 'ok' | 'unavailable'

export interface Readiness {
  /** This process takes work: it neither starts nor stops, and all checks are well. */
  isReady: boolean
  phase: Life['phase']
  checks: { database: Check; redis: Check; signing: Check }
  /** What an operator has to change, in sentences. */
  problems: string[]
  /** How far this process's clock is ahead of Redis's; undefined while Redis is away, as are its settings. */
  clockAheadMs: number | undefined
  redisSettings: RedisSettings | undefined
}

type Needs = Pick<Deps, 'db' | 'bus' | 'clock' | 'config' | 'life' | 'caches'>

/** Looks whether what this process needs is there. */
export async function checkReadiness(deps: Needs): Promise<Readiness> {
  const { db, bus, clock, config, life } = deps
  const [database, clockAheadMs, signing, redisSettings, latePurges] = await Promise.all([
    inTime(findMigrationStanding(db)),
    inTime(bus.clockAheadMs(clock)),
    inTime(bus.signingStatus()),
    inTime(bus.redisSettings()),
    inTime(readLatePurges(deps)),
  ])
  const redis = clockAheadMs !== undefined
  const damage = db.findDamage()
  const missing = database?.missing ?? []
  const checks = {
    database: judge(database && missing.length === 0),
    redis: judge(redis),
    signing: judge(signing?.isRunning),
  }
  const found = {
    'The database does not answer': !database,
    [`The database ${notMigrated(missing)}`]: missing.length > 0,
    [`The database is damaged: ${damage}. Stop the service and restore a backup`]: damage !== undefined,
    'Redis does not answer': !redis,
    'SERVICE_SECRET of a signing process is another one than that of this process': signing?.hasOtherSecret,
    'KEY_ENCRYPTION_KEY of a signing process opens none of the private keys in the database: it has ended':
      signing?.cannotOpenKeys,
    [`Expired rows of these tables have waited for more than an hour to be purged: ${latePurges?.join(', ')}`]:
      latePurges && latePurges.length > 0,
    'No signing process runs': signing && !signing.isRunning && !signing.hasOtherSecret && !signing.cannotOpenKeys,
  }
  const { phase } = life
  return {
    isReady: phase === 'serving' && Object.values(checks).every((check) => check === 'ok'),
    phase,
    checks,
    problems: [
      ...Object.entries(found).flatMap(([problem, is]) => (is ? [problem] : [])),
      ...faultsOfClocks(clockAheadMs, signing),
      ...(config.production && redisSettings ? faultsOfRedisSettings(redisSettings) : []),
    ],
    clockAheadMs,
    redisSettings,
  }
}

/** Reads them at most once in 30 s: the statement looks into many tables, and anyone may call `GET /health/ready`. */
function readLatePurges({ db, clock, caches }: Needs): Promise<string[]> {
  const known = caches.latePurges.get('all')
  if (known) return known
  const read = findLatePurges(db.read, clock.now())
  caches.latePurges.set('all', read)
  read.catch(() => caches.latePurges.delete('all'))
  return read
}

/** Larger than any delay of a heartbeat, and smaller than the shortest lifetime of what is signed. */
const mostAheadMs = 30_000

/** Redis's clock is compared with all others, since each process can ask it. */
function faultsOfClocks(ownMs: number | undefined, signing: SigningStatus | undefined): string[] {
  const clocks = [
    ...(ownMs === undefined ? [] : [{ process: 'this', aheadMs: ownMs }]),
    ...(signing?.clocksAheadMs ?? []).map(({ process, aheadMs }) => ({ process: `a ${process}`, aheadMs })),
  ]
  return clocks
    .filter(({ aheadMs }) => Math.abs(aheadMs) > mostAheadMs)
    .map(({ process, aheadMs }) => {
      const seconds = Math.round(Math.abs(aheadMs) / 1000)
      const direction = aheadMs > 0 ? 'ahead of' : 'behind'
      return `The clock of ${process} process is ${seconds} s ${direction} the clock of Redis: synchronize them (NTP)`
    })
}

const patienceMs = 3_000

/** An answer that does not come in time is no answer. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  const late = sleep(patienceMs, undefined, { ref: false })
  return Promise.race([answer, late]).catch(() => undefined)
}

function judge(isGood: boolean | undefined): Check {
  return isGood ? 'ok' : 'unavailable'
}
