import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { findMigrationStanding, notMigrated } from '../../../db/migrated.ts'
import type { Deps } from '../../deps.ts'
import { described, named } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute } from '../../http/route.ts'

const Check = named('Health', 'Whether it is there', z.enum(['ok', 'unavailable']))

const Readiness = z.object({
  status: Check,
  phase: described(
    z.enum(['starting', 'serving', 'stopping']),
    'A process that stops ends soon: ask another one',
    'serving',
  ),
  checks: z
    .object({
      database: Check,
      redis: Check,
      signing: Check.describe('Whether a signing process is there'),
    })
    .describe('What this process needs'),
  problems: z
    .array(z.string())
    .describe(
      'What somebody has to do something about, in words; also of what does not keep this process from working',
    ),
})

type Checks = z.infer<typeof Readiness>['checks']

export const serviceRoutes = [
  defineRoute({
    operation: 'live',
    summary: 'Whether the process runs',
    tag: 'Service',
    method: 'GET',
    path: '/health/live',
    host: 'any',
    access: anyone,
    status: 200,
    response: z.object({ status: z.literal('ok').describe('The process runs') }),
    async handle() {
      return { status: 'ok' }
    },
  }),
  defineRoute({
    operation: 'ready',
    summary:
      'Whether this process takes work: it neither starts nor stops, and database, Redis and a signing worker are there',
    tag: 'Service',
    method: 'GET',
    path: '/health/ready',
    host: 'any',
    access: anyone,
    status: 200,
    response: Readiness,
    representations: { statuses: { 503: { description: 'Something is missing', response: Readiness } } },
    async handle({ deps }) {
      const { checks, problems } = await lookAround(deps)
      const { phase } = deps.life
      const isReady = phase === 'serving' && Object.values(checks).every((check) => check === 'ok')
      if (isReady) return { status: 'ok', phase, checks, problems }
      return new Answer(
        { status: 'unavailable', phase, checks, problems },
        { status: 503, headers: { 'Retry-After': '2' } },
      )
    },
  }),
]

const patienceMs = 3_000

async function lookAround({ db, bus }: Deps): Promise<{ checks: Checks; problems: string[] }> {
  const [database, redis, signing] = await Promise.all([
    inTime(findMigrationStanding(db)),
    inTime(bus.ping().then(() => true)),
    inTime(bus.signingStanding()),
  ])
  const checks = {
    database: judge(database?.missing.length === 0),
    redis: judge(redis),
    signing: judge(signing?.isThere),
  }
  const found = {
    'The database does not answer': !database,
    [`The database ${notMigrated(database?.missing ?? [])}`]: (database?.missing.length ?? 0) > 0,
    'Redis does not answer': !redis,
    'SERVICE_SECRET of a signing process is another one than that of this process': signing?.hasOtherSecret,
    'KEY_ENCRYPTION_KEY of a signing process opens none of the private keys in the database: it has ended':
      signing?.cannotOpenKeys,
    'No signing process runs': signing && Object.values(signing).every((each) => !each),
  }
  return { checks, problems: Object.entries(found).flatMap(([problem, is]) => (is ? [problem] : [])) }
}

/** An answer that does not come in time is no answer. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  const late = sleep(patienceMs, undefined, { ref: false })
  return Promise.race([answer, late]).catch(() => undefined)
}

function judge(isGood: boolean | undefined): z.infer<typeof Check> {
  return isGood ? 'ok' : 'unavailable'
}
