import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAdmission } from '../../../api/http/admission.ts'
import type { Subjects } from '../../../api/http/report.ts'
import { defineRoute, operators } from '../../../api/http/route.ts'
import { plusMs } from '../../../shared/clock.ts'
import type { AnalyticsEvent } from '../../../shared/domain/operations/events.ts'
import { readAt, startKernel } from '../../harness/kernel.ts'

const startedAt = new Date('2026-03-01T12:00:00.000Z')

/** Returns the events of a request of a client that takes this time. */
async function eventsOf(durationMs: number): Promise<AnalyticsEvent[]> {
  let now = startedAt
  const emitted: AnalyticsEvent[] = []
  const emit = (event: AnalyticsEvent) => void emitted.push(event)
  const route = defineRoute({
    operation: 'read',
    summary: 'Test',
    tag: 'Test',
    method: 'GET',
    path: '/things',
    access: operators('admin'),
    status: 200,
    response: z.object({ id: z.string() }),
    event: 'THING_READ',
    async handle() {
      now = plusMs(now, durationMs)
      return { id: 'thing' }
    },
  })
  // Boundary: the handler reads nothing of its caller.
  const subjects = { caller: { clientId: 'client' } } as Subjects
  const analytics = { emit, emitAnonymous: () => '', countAnonymous: () => false, close: async () => {} }
  await using kernel = await startKernel(
    [route],
    { authenticate: async () => subjects },
    { analytics, clock: { now: () => now } },
  )
  expect((await kernel.ask('/things')).status).toBe(200)
  return emitted
}

test('a request of ten seconds emits its end together with its start', async () => {
  expect(await eventsOf(10_000)).toEqual([
    expect.objectContaining({
      type: 'THING_READ_SUCCESS',
      timestamp: '2026-03-01T12:00:10.000Z',
      data: { id: 'thing' },
      start: { timestamp: startedAt.toISOString(), data: {} },
    }),
  ])
})

test('a longer request emits its start and its end as two events', async () => {
  const [start, end, ...others] = await eventsOf(10_001)
  expect(others).toEqual([])
  expect(start).toMatchObject({ type: 'THING_READ_START', timestamp: startedAt.toISOString(), clientId: 'client' })
  expect(end).toMatchObject({ type: 'THING_READ_SUCCESS', timestamp: '2026-03-01T12:00:10.001Z' })
  expect([start?.requestId, start?.start, end?.start]).toEqual([end?.requestId, undefined, undefined])
})

const never = new Promise<never>(() => {})
const full = createAdmission({ maxRunning: 0, maxRunningPerTenant: 1, maxWaitingPerTenant: 0, maxWaiting: 0 })

test.each([
  ['too many requests wait for a slot', { admission: full }, {}],
  ['its rate limit is not known before the deadline', { deadlineMs: 100 }, { admit: () => never }],
  ['its tenant is not known before the deadline', { deadlineMs: 100 }, { findTenant: () => never }],
])('a request that is refused with 503 because %s emits one FAIL event', async (_reason, options, hooks) => {
  const emitted: AnalyticsEvent[] = []
  const emitAnonymous = (events: AnalyticsEvent[]) => {
    emitted.push(...events)
    return undefined
  }
  const analytics = { emit() {}, emitAnonymous, countAnonymous: () => false, close: async () => {} }
  const { operation, ...common } = readAt('/things')
  const route = defineRoute({ ...common, operation, host: 'tenant', event: 'THING_READ', async handle() {} })
  await using kernel = await startKernel([route], hooks, { ...options, analytics })
  const { status, headers } = await kernel.ask('/things')
  expect(status).toBe(503)
  expect(emitted).toMatchObject([{ type: 'THING_READ_FAIL', tenantId: 'tenant', requestId: headers['x-request-id'] }])
})
