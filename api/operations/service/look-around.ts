import { setTimeout as sleep } from 'node:timers/promises'
import { findLatePurges } from '../../../db/keeping/oldest-expired.ts'
import { findMigrationStanding, notMigrated } from '../../../db/migrated.ts'
import type { Deps, Life } from '../../deps.ts'

export type Check = 'ok' | 'unavailable'

export interface Surroundings {
  /** This process takes work: it neither starts nor stops, and all checks are well. */
  isReady: boolean
  phase: Life['phase']
  checks: { database: Check; redis: Check; signing: Check }
  /** What somebody has to do something about, in words. */
  problems: string[]
}

/** Looks whether what this process needs is there. */
export async function lookAround({
  db,
  bus,
  life,
  clock,
}: Pick<Deps, 'db' | 'bus' | 'life' | 'clock'>): Promise<Surroundings> {
  const [database, redis, signing, latePurges] = await Promise.all([
    inTime(findMigrationStanding(db)),
    inTime(bus.ping().then(() => true)),
    inTime(bus.signingStanding()),
    inTime(findLatePurges(db.read, clock.now())),
  ])
  const missing = database?.missing ?? []
  const checks = {
    database: judge(database && missing.length === 0),
    redis: judge(redis),
    signing: judge(signing?.isThere),
  }
  const found = {
    'The database does not answer': !database,
    [`The database ${notMigrated(missing)}`]: missing.length > 0,
    'Redis does not answer': !redis,
    'SERVICE_SECRET of a signing process is another one than that of this process': signing?.hasOtherSecret,
    'KEY_ENCRYPTION_KEY of a signing process opens none of the private keys in the database: it has ended':
      signing?.cannotOpenKeys,
    [`Expired rows of these tables have waited for more than an hour to be purged: ${latePurges?.join(', ')}`]:
      latePurges && latePurges.length > 0,
    'No signing process runs': signing && Object.values(signing).every((each) => !each),
  }
  const { phase } = life
  return {
    isReady: phase === 'serving' && Object.values(checks).every((check) => check === 'ok'),
    phase,
    checks,
    problems: Object.entries(found).flatMap(([problem, is]) => (is ? [problem] : [])),
  }
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
