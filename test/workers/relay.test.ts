import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { addToOutbox, removeFromOutbox } from '../../db/outbox.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { jobs } from '../../shared/jobs/registry.ts'
import { createRecentLoad } from '../../workers/jobs/recent-load.ts'
import { recoverDeliveries } from '../../workers/upkeep/recover-deliveries.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { issueOne } from '../harness/issued.ts'
import { startRedis } from '../harness/redis.ts'

/** No worker takes deliveries from their queue here, so the queue shows what was added. */
let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'relay'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const subjectOf = (tenantId: string, subjectId: string) => ({ tenantId, kind: 'issuance', subjectId }) as const

async function queued(): Promise<{ id: string; subjects: string[] }[]> {
  const waiting = await service.deps.bus.queue('delivery').getJobs('waiting')
  return waiting.map(({ id = '', data }) => ({
    id,
    subjects: data.payload.items.map(({ subjectId }: { subjectId: string }) => subjectId),
  }))
}

async function untilQueued(subjectId: string) {
  return eventually(async () => (await queued()).find(({ subjects }) => subjects.includes(subjectId)))
}

test('jobs that the queue lost before their fan-out are queued again', async () => {
  const { issuanceId } = await issueOne(service)
  const job = await untilQueued(issuanceId)
  await service.deps.bus.queue('delivery').obliterate({ force: true })
  service.clock.advance(21_000)
  expect(await untilQueued(issuanceId)).toEqual(job)
})

test('rows that a process wrote with a clock that was an hour ahead are queued, and rows that a relay took stay', async () => {
  const { clock, db } = service.deps
  const [early, taken] = [newId(), newId()]
  await db.tx(async (tx) => {
    const entry = { id: early, payload: subjectOf(service.id, early) }
    await addToOutbox(tx, 'fanOut', [entry], plusMs(clock.now(), 3_600_000))
    const row = { id: taken, job: 'ofTomorrow', payload: {}, priority: 0, createdAt: clock.now() }
    await tx.insert(outbox).values({ ...row, takenUntil: plusMs(clock.now(), 20_000) })
  })
  await recoverDeliveries(service.deps)
  await untilQueued(early)
  const rows = await db.read.select().from(outbox).where(eq(outbox.id, taken))
  expect(rows.map(({ takenUntil }) => takenUntil > clock.now())).toEqual([true])
  await db.tx((tx) => removeFromOutbox(tx, [taken]))
})

test('a run that frees rows ends before the next, also if rows are left', async () => {
  const startedAt = performance.now()
  let now = startedAt
  const tx = async <Result>() => {
    now += 600
    return 500 as Result
  }
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => now)
  await recoverDeliveries({ ...service.deps, db: { ...service.deps.db, tx } })
  expect(now - startedAt).toBeLessThan(jobs.recoverDeliveries.everyMs ?? 0)
})

test('a row that is taken together with one whose job is already queued is queued too', async () => {
  const [first, second] = [newId(), newId()]
  const entry = (subjectId: string) => [{ id: subjectId, payload: subjectOf(service.id, subjectId) }]
  await service.deps.db.tx((tx) => addToOutbox(tx, 'fanOut', entry(first), service.clock.now()))
  await untilQueued(first)
  await service.deps.db.tx(async (tx) => {
    service.clock.advance(21_000)
    await addToOutbox(tx, 'fanOut', entry(second), service.clock.now())
  })
  await untilQueued(second)
})

test('a row of a job that only another version knows waits and blocks nothing', async () => {
  const [unknown, known] = [newId(), newId()]
  const at = service.clock.now()
  await service.deps.db.tx(async (tx) => {
    const row = { id: unknown, job: 'ofTomorrow', payload: {}, priority: 0, createdAt: at, takenUntil: at }
    await tx.insert(outbox).values(row)
  })
  const entry = { id: known, payload: subjectOf(service.id, known) }
  await service.deps.db.tx((tx) => addToOutbox(tx, 'fanOut', [entry], at))
  await untilQueued(known)
  service.clock.advance(21_000)
  await eventually(async () => {
    const [row] = await service.deps.db.read.select().from(outbox).where(eq(outbox.id, unknown))
    return row && row.takenUntil > service.clock.now()
  })
})

test('while Redis refuses writes no row is taken, and the relay continues soon afterwards', {
  tags: 'redis',
}, async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  await using own = await startService({ roles: ['signing', 'relay'], redisUrl: redis.url })
  const admin = connectPatient(redis.url)
  onTestFinished(() => admin.disconnect())
  await admin.config('SET', 'maxmemory', '1')
  const checks = vi.spyOn(own.deps.bus, 'requireWritable')
  const id = newId()
  const at = own.clock.now()
  const entry = { id, payload: subjectOf(own.id, id) }
  await own.deps.db.tx((tx) => addToOutbox(tx, 'fanOut', [entry], at))
  const begun = checks.mock.calls.length
  await eventually(async () => checks.mock.settledResults[begun]?.type === 'rejected')
  const [row] = await own.deps.db.read.select().from(outbox).where(eq(outbox.id, id))
  expect(row!.takenUntil).toEqual(at)
  await admin.config('SET', 'maxmemory', '0')
  await eventually(async () => (await own.deps.bus.depths()).delivery.waiting === 1)
})

test('a job of a tenant with few jobs overtakes thousands of another tenant', async () => {
  const [busy, quiet] = [newId(), newId()]
  const row = (tenantId: string) => ({ id: newId(), payload: subjectOf(tenantId, newId()) })
  const { db, bus } = service.deps
  const at = service.clock.now()
  const rush = Array.from({ length: 1_200 }, () => row(busy))
  await db.tx((tx) => addToOutbox(tx, 'fanOut', rush, at))
  const depth = async () => Object.values(await bus.queue('delivery').getJobCounts('waiting', 'prioritized'))
  const jobs = async () => (await depth()).reduce((sum, each) => sum + each, 0)
  const before = await jobs()
  await eventually(async () => (await jobs()) >= before + 12)
  const one = row(quiet)
  await db.tx((tx) => addToOutbox(tx, 'fanOut', [one], service.clock.now()))
  await untilQueued(one.payload.subjectId)
  const urgent = await bus.queue('delivery').getJobs('prioritized')
  expect(urgent.length).toBeGreaterThan(5)
  expect(Math.min(...urgent.map(({ priority }) => priority))).toBeGreaterThan(0)
})

test('a load peak loses its effect after a while', () => {
  let now = 0
  const loadOf = createRecentLoad(() => now)
  expect([loadOf('a'), loadOf('a'), loadOf('a'), loadOf('b')]).toEqual([0, 1, 2, 0])
  for (let each = 0; each < 10_000; each++) loadOf('a')
  expect(loadOf('a')).toBe(5_000)
  now = 10_000
  expect(loadOf('a')).toBe(3_000)
  now = 60_000
  expect(loadOf('a')).toBe(0)
})
