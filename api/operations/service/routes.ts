import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute } from '../../http/route.ts'

const Check = z.enum(['ok', 'unavailable'])

const Readiness = z.object({
  status: Check,
  phase: z.enum(['starting', 'serving', 'stopping']).describe('A process that stops ends soon: ask another one'),
  checks: z.object({ database: Check, redis: Check, signing: Check }),
})

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
    response: z.object({ status: z.literal('ok') }),
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
      const checks = await lookAround(deps)
      const { phase } = deps.life
      const isReady = phase === 'serving' && Object.values(checks).every((check) => check === 'ok')
      if (isReady) return { status: 'ok', phase, checks }
      return new Answer({ status: 'unavailable', phase, checks }, { status: 503, headers: { 'Retry-After': '2' } })
    },
  }),
]

const patienceMs = 3_000

async function lookAround({ db, bus }: Deps): Promise<z.infer<typeof Readiness>['checks']> {
  const [database, redis, signing] = await Promise.all([
    judge(db.ping().then(() => true)),
    judge(bus.ping().then(() => true)),
    judge(bus.signingWorkerSeen()),
  ])
  return { database, redis, signing }
}

/** An answer that does not come in time is no answer. */
async function judge(check: Promise<boolean>): Promise<z.infer<typeof Check>> {
  const late = sleep(patienceMs, false, { ref: false })
  return (await Promise.race([check, late]).catch(() => false)) ? 'ok' : 'unavailable'
}
