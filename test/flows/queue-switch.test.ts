// @module-tag redis

import { ne } from 'drizzle-orm'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { outbox } from '../../db/tables/outbox.ts'
import type { Broker } from '../../shared/jobs/broker.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import type { QueueName } from '../../shared/jobs/definition.ts'
import { createKeys } from '../../shared/jobs/keys.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import { startScheduler } from '../../workers/jobs/scheduler.ts'
import { startWorkers } from '../../workers/start.ts'
import { type WorkerRole, workerRoles } from '../../workers/worker-roles.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { openChanges } from '../harness/published.ts'
import { startRedis } from '../harness/redis.ts'
import { newRevocable } from '../harness/revocable.ts'
import { runNow } from '../harness/run-now.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { startReceiver } from '../servers/receiver.ts'

/** They queue jobs. No process takes those of webhooks, files, lists and erasures. */
const queueing: WorkerRole[] = ['relay', 'scheduler', 'signing']

interface Queues {
  broker: Broker
  bus: Bus
}

/** A service with its queues in the database or in Redis, and the queues that it has not used yet. */
async function startWithBoth(queueIn: 'database' | 'redis', roles: readonly WorkerRole[]) {
  const server = await startRedis()
  const env = { QUEUE: queueIn, REDIS_URL: queueIn === 'database' ? '' : server.url }
  const service = await startService({ env, roles })
  const { db, secrets, bus, config } = service.deps
  const old: Queues = { broker: service.broker, bus }
  const broker =
    queueIn === 'database'
      ? createRedisBroker({ redisUrl: server.url, prefix: config.redisPrefix, secrets })
      : createDatabaseBroker(db, secrets)
  const next: Queues = { broker, bus: broker.openBus() }
  await next.bus.connected
  onTestFinished(async () => {
    await next.bus.close()
    await service[Symbol.asyncDispose]()
    await server.stop()
  })
  return { service, old, next }
}

/** Starts the workers of a service on the queues. */
function startOn(service: Service, { broker, bus }: Queues, roles: readonly WorkerRole[]) {
  const { deps, keyring } = service
  return startWorkers(roles, { ...deps, broker, bus, keys: createKeys(bus, 60_000), keyring, relayGatherMs: 20 })
}

const has = async (bus: Bus, queue: QueueName, job: string, ...states: ('waiting' | 'prioritized' | 'delayed')[]) =>
  (await bus.queue(queue).getJobs(states)).some(({ name }) => name === job)

const waits = (bus: Bus, queue: QueueName, job: string) =>
  eventually(() => has(bus, queue, job, 'waiting', 'prioritized'))

/** Sends a test event, deletes a user, sends a file and revokes a credential. Waits until their jobs are queued. */
async function queueWork(service: Service, { bus }: Queues, url: string) {
  const { operator } = service
  const { body: webhook } = await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
  expect(await operator.post(`/v1/webhooks/${webhook.id}/test`)).toMatchObject({ status: 202 })
  const { body: user } = await operator.post('/v1/users', { claims: { given_name: 'Ada' } })
  expect(await operator.delete(`/v1/users/${user.id}`)).toMatchObject({ status: 204 })
  const fields = bulkFields(await compactConfiguration(service), { validateOnly: 'true' })
  const file = csvFile('given_name\nAda\n')
  const { body: bulk } = await uploadTo(operator, '/v1/bulk-issuances', ['file', file], ...fields)
  const { credentialId, listId } = await newRevocable(service, service.id)
  const revoked = await operator.post(`/v2/credentials/compact/${credentialId}/revocation-status`, { isRevoked: true })
  expect(revoked).toMatchObject({ status: 200 })
  await waits(bus, 'delivery', 'deliverWebhooks')
  await waits(bus, 'signing-bulk', 'signErasureReceipt')
  await waits(bus, 'upkeep', 'validateBulkIssuance')
  await waits(bus, 'publishing', 'queueDueLists')
  return { deliveries: `/v1/webhooks/${webhook.id}/deliveries`, bulk: `/v1/bulk-issuances/${bulk.id}`, listId }
}

/** Waits until the work of `queueWork` is done on other queues, and until no job of the outbox is left. */
async function expectDone(
  { deps, clock, operator }: Service,
  { bus }: Queues,
  work: Awaited<ReturnType<typeof queueWork>>,
): Promise<void> {
  await eventually(async () => (await bus.emptiedAt(clock)) !== undefined)
  // Shorter than the 75 s after which a job counts as late.
  clock.advance(20_000)
  await runNow(bus, 'recoverDeliveries')
  await eventually(async () => (await operator.get(work.deliveries)).body.data[0]?.status === 'delivered')
  // An outbox row is taken again two minutes after it was taken.
  clock.advance(130_000)
  await eventually(async () => (await operator.get(work.bulk)).body.state !== 'validating')
  await eventually(async () => (await openChanges(deps.db, work.listId)) === 0)
  // The last part of an erasure runs two minutes later.
  await eventually(async () => (await deps.db.read.$count(outbox, ne(outbox.job, 'finishErasure'))) === 0)
  await eventually(() => has(bus, 'upkeep', 'finishErasure', 'delayed'))
}

test.for([
  ['the database', 'Redis', 'database'],
  ['Redis', 'the database', 'redis'],
] as const)('jobs that wait when the queues move from %s to %s are done once', async ([, , queueIn]) => {
  await using receiver = await startReceiver()
  const { service, old, next } = await startWithBoth(queueIn, queueing)
  // Of an earlier use of this Redis. With a schedule, it does not count as emptied.
  const template = { name: 'queueDueDeliveries', data: { payload: {} } }
  if (queueIn === 'database')
    await next.bus.queue('delivery').upsertJobScheduler('queueDueDeliveries', { every: 1_000 }, template)

  const work = await queueWork(service, old, receiver.url)
  await service.workers.stop()
  const workers = await startOn(service, next, workerRoles)
  await expectDone(service, next, work)
  if (queueIn === 'database')
    for (const queue of ['delivery', 'signing-bulk', 'upkeep'] as const)
      expect(await old.bus.queue(queue).getJobs()).toEqual([])
  await workers.stop()
  expect(receiver.deliveries).toHaveLength(1)
})

test('a job that waits for its next attempt when the queues move from the database to Redis runs there', async () => {
  const { service, old, next } = await startWithBoth('database', [...queueing, 'upkeep'])
  const { body: user } = await service.operator.post('/v1/users', { claims: { given_name: 'Ada' } })
  expect(await service.operator.delete(`/v1/users/${user.id}`)).toMatchObject({ status: 204 })
  await eventually(() => has(old.bus, 'upkeep', 'finishErasure', 'delayed'))
  await service.workers.stop()
  const workers = await startOn(service, next, workerRoles)
  // An outbox row is taken again two minutes after it was taken.
  await eventually(async () => (await next.bus.emptiedAt(service.clock)) !== undefined)
  service.clock.advance(130_000)
  await eventually(() => has(next.bus, 'upkeep', 'finishErasure', 'delayed'))
  await workers.stop()
})

test('a scheduler with Redis leaves queues in the database that other processes use, until these have ended', async () => {
  const { service, old, next } = await startWithBoth('database', queueing)
  await old.bus.queue('upkeep').add('purgeExpired', { payload: {} }, { jobId: 'waiting' })
  const logged: { msg: string; err?: { message: string } }[] = []
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) })
  const scheduler = startScheduler({ ...service.deps, bus: next.bus, log })
  const [line] = await eventually(async () => logged.length > 0 && logged)
  expect(line?.err?.message).toContain('Set the same QUEUE and REDIS_URL')
  expect(await old.bus.queue('upkeep').getJobState('waiting')).toBe('waiting')
  expect(await next.bus.emptiedAt(service.clock)).toBeUndefined()

  await service.workers.stop()
  await eventually(async () => (await old.bus.queue('upkeep').getJobState('waiting')) === 'unknown')
  await eventually(async () => logged.at(-1)?.msg.includes('queues are in redis now'))
  await scheduler.stop()
})
