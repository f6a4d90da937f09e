import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest'
import { createAnalytics } from '../../api/analytics/analytics.ts'
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts'
import { events as eventRows } from '../../db/tables/operations/events.ts'
import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { newId } from '../../shared/ids.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { lostEvents } from '../harness/lost-events.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Starts the collector of a web process, with a database that can be unavailable. */
async function start({ onTestFinished }: TestContext) {
  const tenant = await service.addTenant()
  const { db, clock } = service.deps
  const warnings: { msg: string; dropped?: number }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) })
  let isAway = false
  const own = { ...db, read: db.read }
  const unavailable = () => Promise.reject(new DatabaseUnavailable(new Error('away')))
  const txWithNext = vi
    .spyOn(own, 'txWithNext')
    .mockImplementation((work, options) => db.txWithNext(isAway ? unavailable : work, options))
  const analytics = createAnalytics({ db: own, clock, log })
  onTestFinished(() => analytics.close())
  const newEvent = (about: Partial<AnalyticsEvent> = {}): AnalyticsEvent => {
    const id = newId()
    const content = { type: 'SOMETHING_SUCCESS', category: 'USERS', requestId: id, data: {} }
    return { id, tenantId: tenant.id, timestamp: new Date().toISOString(), ...content, ...about }
  }
  const isEmitted = eq(eventRows.type, 'SOMETHING_SUCCESS')
  const ofTenant = (tenantId: string) => sql`${isEmitted} and ${eq(eventRows.tenantId, tenantId)}`
  const countStored = (tenantId = tenant.id) => db.read.$count(eventRows, ofTenant(tenantId))
  const setAway = (away: boolean) => {
    isAway = away
  }
  return { tenant, analytics, txWithNext, newEvent, countStored, setAway, warnings }
}

test('events of the same moment are stored in one transaction, without a worker', async (context) => {
  const { analytics, txWithNext, newEvent, countStored } = await start(context)
  for (const round of [1, 2]) {
    for (let count = 0; count < 100; count++) analytics.emit(newEvent())
    await eventually(async () => (await countStored()) === 100 * round)
    expect(txWithNext).toHaveBeenCalledTimes(round)
  }
})

test('many events are stored in several transactions, so that other writers do not wait long', async (context) => {
  const { analytics, txWithNext, newEvent, countStored } = await start(context)
  for (let count = 0; count < 600; count++) analytics.emit(newEvent())
  await analytics.close()
  expect([await countStored(), txWithNext.mock.calls.length]).toEqual([600, 3])
})

test('each event is stored for its own tenant, and none for a tenant that is deleted', async (context) => {
  const { tenant, analytics, newEvent, countStored } = await start(context)
  const [other, deleted] = [await service.addTenant(), await service.addTenant()]
  await service.platform.delete(`/v1/tenants/${deleted.id}`)
  for (const { id } of [tenant, other, deleted, tenant]) analytics.emit(newEvent({ tenantId: id }))
  analytics.emit(newEvent({ tenantId: newId() }))
  await analytics.close()
  // One event alone is another statement than several.
  analytics.emit(newEvent({ tenantId: deleted.id }))
  await analytics.close()
  expect(await Promise.all([tenant, other, deleted].map(({ id }) => countStored(id)))).toEqual([2, 1, 0])
})

test('an event that the database refuses is dropped and does not block others', async (context) => {
  const { analytics, newEvent, countStored, warnings } = await start(context)
  const lostBefore = await lostEvents('invalid')
  const unstorable = newEvent({ data: null as never })
  for (const event of [newEvent(), unstorable, newEvent()]) analytics.emit(event)
  await analytics.close()
  expect(await countStored()).toBe(2)
  expect(warnings).toMatchObject([{ eventId: unstorable.id, msg: 'invalid analytics event dropped' }])
  expect((await lostEvents('invalid')) - lostBefore).toBe(1)
})

test('events wait in the process during an outage of the database, and too many are dropped', async (context) => {
  const { analytics, txWithNext, newEvent, countStored, setAway, warnings } = await start(context)
  const lostBefore = await lostEvents('buffer_full')
  setAway(true)
  for (let count = 0; count < 50_009; count++) analytics.emit(newEvent())
  await eventually(async () => txWithNext.mock.calls.length > 2)
  expect(await countStored()).toBe(0)
  expect((await lostEvents('buffer_full')) - lostBefore).toBe(9)

  setAway(false)
  await eventually(async () => (await countStored()) === 50_000, 60_000)
  expect(warnings).toMatchObject([{ dropped: 9, msg: 'analytics events dropped' }])
})

test('an attempt whose answer was lost stores each event once', async (context) => {
  const { analytics, txWithNext, newEvent, countStored } = await start(context)
  const { db } = service.deps
  txWithNext.mockImplementationOnce(async (work, options) => {
    await db.txWithNext(work, options)
    throw new DatabaseUnavailable(new Error('away'))
  })
  analytics.emit(newEvent())
  await eventually(async () => txWithNext.mock.calls.length === 2)
  await analytics.close()
  expect(await countStored()).toBe(1)
})
