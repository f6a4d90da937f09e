import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Subjects } from '../../../api/http/report.ts'
import { defineRoute, operators } from '../../../api/http/route.ts'
import { plusMs } from '../../../shared/clock.ts'
import type { AnalyticsEvent } from '../../../shared/domain/operations/events.ts'
import { startKernel } from '../../harness/kernel.ts'

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
