import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveries } from '../../../db/tables/operations/deliveries.ts'
import { outbox } from '../../../db/tables/outbox.ts'
import { statusBulks } from '../../../db/tables/status/bulks.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { queues } from '../../../shared/jobs/definition.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'analytics'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const ago = (ms: number) => plusMs(service.clock.now(), -ms)

test('the platform reads the state of each queue', async () => {
  const { bus } = service.deps
  const upkeep = bus.queue('upkeep')
  const standings = async () => {
    const { status, body } = await service.platform.get('/v1/overview/queues')
    expect(status).toBe(200)
    return new Map<string, Record<string, unknown>>(body.data.map((each: { queue: string }) => [each.queue, each]))
  }
  const none = { waiting: 0, active: 0, delayed: 0, failed: 0 }
  const before = await standings()
  expect([...before.keys()]).toEqual([...queues])
  expect(before.get('upkeep')).toEqual({ queue: 'upkeep', ...none, workers: 0 })
  expect(before.get('analytics')).toMatchObject({ workers: 1 })

  // No worker takes these jobs. The one that waits longest is the last in line.
  const at = (ms: number) => ({ timestamp: ago(ms).getTime() })
  const add = (jobId: string, options: { priority?: number; delay?: number; timestamp?: number }) =>
    upkeep.add('none', {}, { jobId, ...options })
  const oldest = await add('first', { priority: 9, ...at(2 * hour) })
  const other = await add('second', { priority: 1, ...at(hour) })
  await add('third', {})
  await add('later', { delay: hour, ...at(day) })
  const counts = { queue: 'upkeep', ...none, waiting: 3, delayed: 1, workers: 0 }
  const since = new Date(oldest.timestamp).toISOString()
  expect((await standings()).get('upkeep')).toEqual({ ...counts, since })
  // A repeated job is created when the previous one ran. Its id contains its due time.
  const { timestamp: due } = at(minute)
  await add(`repeat:purge:${due}`, at(day))
  await Promise.all([oldest.remove(), other.remove(), upkeep.remove('third')])
  expect((await standings()).get('upkeep')).toEqual({ ...counts, waiting: 1, since: new Date(due).toISOString() })
})

test('the platform reads the state of the outbox', async () => {
  const read = async () => (await service.platform.get('/v1/overview/queues')).body.outbox
  const { waiting } = await read()
  const createdAt = ago(hour)
  const row = { id: newId(), job: 'fanOut', payload: {}, priority: 0, createdAt, takenUntil: createdAt }
  await service.deps.db.tx((tx) => tx.insert(outbox).values(row))
  expect(await read()).toEqual({ waiting: waiting + 1, since: createdAt.toISOString() })
})

test('a tenant can list waiting work that is not late on request', async () => {
  const tenant = await service.addTenant()
  const otherTenant = await service.addTenant()
  const hook = { events: ['OpenIdCredentialIssued'], url: 'https://receiver.example/hook' }
  const { body: webhook } = await tenant.operator.post('/v1/webhooks', hook)
  const its = (createdAt: Date) => ({ id: newId(), tenantId: tenant.id, createdAt })
  const nextAttemptAt = plusMs(service.clock.now(), hour)
  await service.deps.db.tx(async (tx) => {
    const bulk = { isRevoked: true, state: 'pending' as const, total: 1, done: 0, failed: [] }
    await tx.insert(statusBulks).values({ ...its(ago(2 * hour)), ...bulk })
    for (const at of [nextAttemptAt, plusMs(nextAttemptAt, hour)]) {
      const event = { webhookId: webhook.id, eventId: newId(), kind: 'OpenIdCredentialIssued' as const, eventAt: at }
      const pending = { state: 'pending' as const, attempts: [], attemptsMade: 1, nextAttemptAt: at }
      await tx.insert(deliveries).values({ ...its(ago(hour)), ...event, ...pending })
    }
  })
  const read = async ({ operator }: Pick<TestTenant, 'operator'>, what: string) =>
    (await operator.get(`/v1/overview/${what}`)).body
  const late = { queue: 'upkeep', work: 'bulk', since: expect.any(String), severity: 'warning' }
  const inTime = { queue: 'delivery', work: 'delivery', since: nextAttemptAt.toISOString(), severity: 'notice' }
  expect(await read(tenant, 'jobs')).toEqual({ data: [late], hasMore: false })
  expect(await read(tenant, 'jobs?waiting=late')).toEqual({ data: [late], hasMore: false })
  expect(await read(tenant, 'jobs?waiting=all')).toEqual({ data: [late, inTime], hasMore: false })
  expect((await read(tenant, 'counts')).pendingDeliveries).toEqual({ count: 2, isAtLeast: false })
  expect(await read(otherTenant, 'jobs?waiting=all')).toEqual({ data: [], hasMore: false })
  expect(await tenant.operator.get('/v1/overview/jobs?waiting=some')).toMatchObject({ status: 400 })
})
