// @module-tag redis

import { randomUUID } from 'node:crypto'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts'
import { recordEvents } from '../../db/record-events.ts'
import { events as eventRows } from '../../db/tables/operations/events.ts'
import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { newId } from '../../shared/ids.ts'
import { queuePrefix } from '../../shared/jobs/bus.ts'
import { connectPatient, type RedisConnection } from '../../shared/jobs/redis.ts'
import { waitingEventsKey } from '../../shared/jobs/waiting-events.ts'
import { storeEvents } from '../../workers/analytics/store-events.ts'
import { startScheduler } from '../../workers/jobs/scheduler.ts'
import { Postpone } from '../../workers/serve.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { lostEvents } from '../harness/lost-events.ts'
import { openRedisBus } from '../harness/redis-bus.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'analytics'], queueIn: 'redis' })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const eventsOf = (count: number, about: Partial<AnalyticsEvent> = {}): AnalyticsEvent[] =>
  Array.from({ length: count }, () => {
    const content = { type: 'USER_CREATE_SUCCESS', category: 'USERS', requestId: newId(), data: { limit: 5 } }
    return { id: newId(), tenantId: service.id, timestamp: new Date().toISOString(), ...content, ...about }
  })

/** A list of its own, beside the database of the service; no worker takes its jobs. */
async function start({ onTestFinished }: TestContext) {
  const prefix = `test-${randomUUID()}`
  const { redisUrl } = service.deps.config
  const bus = await openRedisBus({ redisUrl, prefix, secrets: service.deps.secrets })
  const client = connectPatient(redisUrl)
  const key = waitingEventsKey(queuePrefix(prefix, 'analytics'))
  onTestFinished(async () => {
    client.disconnect()
    await bus.close()
  })
  const errors: Record<string, unknown>[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line)) })
  const { db, clock } = service.deps
  const deps = { db, bus, clock, log }
  const list = bus.waitingEvents
  const append = (events: AnalyticsEvent[]) => appendTo(client, key, events)
  return { deps, list, append, errors, client, key }
}

/** Appends events as a web process of an earlier version. */
async function appendTo(client: RedisConnection, key: string, events: AnalyticsEvent[]): Promise<void> {
  await client.rpush(key, ...events.map((event) => JSON.stringify(event)))
}

/** The ids of the stored events, with duplicates. */
async function storedOf(events: AnalyticsEvent[]): Promise<string[]> {
  const requestIds = [...new Set(events.map(({ requestId }) => requestId))]
  const { read } = service.deps.db
  const rows = []
  for (let from = 0; from < requestIds.length; from += 500) {
    const some = requestIds.slice(from, from + 500)
    rows.push(...(await read.select().from(eventRows).where(inArray(eventRows.requestId, some))))
  }
  return rows.map(({ id }) => id).sort()
}
const idsOf = (events: AnalyticsEvent[]) => events.map(({ id }) => id).sort()

test('events of a worker that is killed after it stored them stay in the list and are stored once', async (context) => {
  const { deps, list, append } = await start(context)
  const waiting = eventsOf(30)
  await append(waiting)
  vi.spyOn(list, 'remove').mockRejectedValueOnce(new Error('killed'))
  await expect(storeEvents(deps, false)).rejects.toThrow('killed')
  expect([await list.count(), await storedOf(waiting)]).toEqual([30, idsOf(waiting)])

  const later = eventsOf(5)
  await append(later)
  await storeEvents(deps, false)
  expect([await list.count(), await storedOf([...waiting, ...later])]).toEqual([0, idsOf([...waiting, ...later])])
})

test('of two workers that read the same events one removes them, and neither removes others', async (context) => {
  const { deps, list, append } = await start(context)
  const first = eventsOf(3)
  await append(first)
  const [one, other] = [await list.read(1000), await list.read(1000)]
  expect(await list.remove(one)).toBe(0)
  // The connection of a web process was lost: it sends its events again, with more.
  const again = [...first.slice(0, 1), ...eventsOf(4)]
  await append(again)
  expect(await list.remove(other)).toBeUndefined()
  expect(await list.count()).toBe(5)
  await storeEvents(deps, false)
  expect([await list.count(), await storedOf(again)]).toEqual([0, idsOf(again)])
})

test('a job ends if another worker removed the entries that it stored', async (context) => {
  const { deps, list, append } = await start(context)
  const waiting = eventsOf(2_100)
  await append(waiting)
  const remove = list.remove.bind(list)
  const read = vi.spyOn(list, 'read')
  vi.spyOn(list, 'remove').mockImplementationOnce(async (batch) => {
    await remove(batch)
    return remove(batch)
  })
  await storeEvents(deps, false)
  expect([read.mock.calls.length, await list.count()]).toEqual([1, 1_100])
  await storeEvents(deps, false)
  expect([await list.count(), await storedOf(waiting)]).toEqual([0, idsOf(waiting)])
})

test('a job stores all waiting events and yields after twenty thousand', async (context) => {
  const { deps, list, append } = await start(context)
  const waiting = eventsOf(2_001)
  await append(waiting)
  await storeEvents(deps, false)
  expect([await list.count(), await storedOf(waiting)]).toEqual([0, idsOf(waiting)])

  const events = waiting.slice(0, 1000)
  for (let batch = 0; batch < 20; batch++) await append(events)
  await append(events.slice(0, 1))
  await expect(storeEvents(deps, false)).rejects.toThrow(Postpone)
  expect(await list.count()).toBe(1)
  await storeEvents(deps, false)
  expect(await list.count()).toBe(0)
})

test('an invalid entry is dropped, and its neighbours are stored', async (context) => {
  const { deps, list, append, errors, client, key } = await start(context)
  const [one, other] = eventsOf(2)
  const texts = [
    '',
    '{',
    'null',
    JSON.stringify(eventsOf(1, { id: null as never })[0]),
    JSON.stringify(eventsOf(1, { timestamp: 'yesterday' })[0]),
    JSON.stringify(eventsOf(1, { data: [] as never })[0]),
  ]
  const lostBefore = await lostEvents('invalid')
  await client.rpush(key, ...texts)
  await storeEvents(deps, false)
  expect(errors.map(({ length }) => length)).toEqual(texts.map(({ length }) => length))
  expect((await lostEvents('invalid')) - lostBefore).toBe(texts.length)

  await append([one!])
  await client.rpush(key, ...texts)
  await append([other!])
  await storeEvents(deps, false)
  expect([await list.count(), await storedOf([one!, other!])]).toEqual([0, idsOf([one!, other!])])
})

test('an event that cannot be stored is dropped after the last attempt and does not block others', async (context) => {
  const { deps, list, append, errors } = await start(context)
  const type = 'UNSTORABLE'
  const lostBefore = await lostEvents('invalid')
  await refuse(type)
  const [good, bad] = [eventsOf(4), eventsOf(1, { type })]
  await append([...good.slice(0, 2), ...bad, ...good.slice(2)])
  await expect(storeEvents(deps, false)).rejects.toThrow()
  expect([await list.count(), await storedOf(good)]).toEqual([5, []])
  await storeEvents(deps, true)
  expect([await list.count(), await storedOf([...good, ...bad])]).toEqual([0, idsOf(good)])
  expect(errors).toMatchObject([{ eventId: bad[0]!.id, type }])
  expect((await lostEvents('invalid')) - lostBefore).toBe(1)
})

test('no event is dropped during a database outage', async (context) => {
  const { deps, list, append, errors } = await start(context)
  const waiting = eventsOf(3)
  await append(waiting)
  const away = { ...deps.db, txWithNext: () => Promise.reject(new DatabaseUnavailable(new Error('away'))) }
  await expect(storeEvents({ ...deps, db: away }, true)).rejects.toThrow(DatabaseUnavailable)
  // The database becomes unavailable while they are stored one by one.
  const txWithNext = vi.fn().mockRejectedValueOnce(new Error('wrong')).mockImplementation(away.txWithNext)
  await expect(storeEvents({ ...deps, db: { ...deps.db, txWithNext } }, true)).rejects.toThrow(DatabaseUnavailable)
  expect(errors).toEqual([])
  await storeEvents(deps, true)
  expect([await list.count(), await storedOf(waiting)]).toEqual([0, idsOf(waiting)])
})

test('jobs of a version without a list run', async () => {
  const waiting = eventsOf(3)
  await service.deps.bus.send('recordEvents', { events: waiting })
  await eventually(async () => (await storedOf(waiting)).length === 3)
})

test('events from the list and from a job are stored once', async (context) => {
  const { deps, append } = await start(context)
  const waiting = eventsOf(3)
  await recordEvents(deps, waiting)
  await append(waiting)
  await storeEvents(deps, false)
  expect(await service.deps.db.read.$count(eventRows, eq(eventRows.id, waiting[0]!.id))).toBe(1)
  expect(await storedOf(waiting)).toEqual(idsOf(waiting))
})

test('events whose job was lost are stored by the scheduled job, which waits between its attempts', async () => {
  const { bus, config } = service.deps
  const waiting = eventsOf(3)
  const client = connectPatient(config.redisUrl)
  await appendTo(client, waitingEventsKey(queuePrefix(config.redisPrefix, 'analytics')), waiting)
  client.disconnect()
  const scheduler = startScheduler(service.deps)
  await eventually(async () => (await storedOf(waiting)).length === 3)
  await scheduler.stop()
  const schedule = await bus.queue('analytics').getJobScheduler('storeEvents')
  expect(schedule).toMatchObject({ every: 5_000 })
  expect(schedule?.template?.opts).toMatchObject({ attempts: 5, backoff: { type: 'custom', delay: 1_000 } })
})

test('waiting events are counted with the jobs of their queue, with the time of the first', async (context) => {
  const { deps, append, client, key } = await start(context)
  const statusOfQueue = async () => (await deps.bus.queueStatuses()).find(({ queue }) => queue === 'analytics')
  expect(await statusOfQueue()).toMatchObject({ jobs: { waiting: 0 }, waitsSince: undefined })
  const timestamp = '2026-11-24T10:00:00.000Z'
  await append([...eventsOf(1, { timestamp }), ...eventsOf(2)])
  expect((await deps.bus.depths()).analytics.waiting).toBe(3)
  expect(await statusOfQueue()).toMatchObject({ jobs: { waiting: 3 }, waitsSince: new Date(timestamp) })
  await deps.bus.send('storeEvents', {})
  expect(await statusOfQueue()).toMatchObject({ jobs: { waiting: 4 }, waitsSince: new Date(timestamp) })
  await client.lpush(key, 'no event')
  expect((await statusOfQueue())?.waitsSince?.getTime()).toBeGreaterThan(Date.parse(timestamp))
})

/** Has the database refuse the events of a type. */
async function refuse(type: string): Promise<void> {
  const statement =
    dialect === 'postgres'
      ? sql.raw(`alter table events add constraint refused check (type <> '${type}')`)
      : sql.raw(`create trigger refused before insert on events when new.type = '${type}'
          begin select raise(abort, 'refused'); end`)
  // Boundary: the name of what runs a plain statement differs.
  const run = dialect === 'postgres' ? 'execute' : 'run'
  await service.deps.db.tx(async (tx) => {
    await (tx as unknown as Record<typeof run, (query: SQL) => Promise<unknown>>)[run](statement)
  })
}
