import { ne } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox } from '../../db/tables/outbox.ts'
import type { Broker } from '../../shared/jobs/broker.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createKeys } from '../../shared/jobs/keys.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import { startWorkers } from '../../workers/start.ts'
import { type WorkerRole, workerRoles } from '../../workers/worker-roles.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startRedis } from '../harness/redis.ts'
import { runNow } from '../harness/run-now.ts'
import { startReceiver } from '../servers/receiver.ts'

/** They queue jobs. No process takes those of webhooks and erasures. */
const queueing: WorkerRole[] = ['relay', 'scheduler', 'signing']

interface Queues {
  broker: Broker
  bus: Bus
}

/** Starts the workers of a service on the queues. */
function startOn(service: Service, { broker, bus }: Queues, roles: readonly WorkerRole[]) {
  const { deps, keyring } = service
  return startWorkers(roles, { ...deps, broker, bus, keys: createKeys(bus, 60_000), keyring, relayGatherMs: 20 })
}

/** Sends a test event and deletes a user. Waits until their jobs are queued. Returns the path of the delivery. */
async function queueWork({ operator }: Service, { bus }: Queues, url: string): Promise<string> {
  const { body: webhook } = await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
  expect(await operator.post(`/v1/webhooks/${webhook.id}/test`)).toMatchObject({ status: 202 })
  const { body: user } = await operator.post('/v1/users', { claims: { given_name: 'Ada' } })
  expect(await operator.delete(`/v1/users/${user.id}`)).toMatchObject({ status: 204 })
  const waits = async (queue: 'delivery' | 'upkeep' | 'signing-bulk', job: string) =>
    (await bus.queue(queue).getJobs(['waiting', 'prioritized'])).some(({ name }) => name === job)
  await eventually(() => waits('delivery', 'deliverWebhooks'))
  await eventually(() => waits('signing-bulk', 'signErasureReceipt'))
  return `/v1/webhooks/${webhook.id}/deliveries`
}

/** Waits until the work of `queueWork` is done on other queues, and until no job of the outbox is left. */
async function expectDone({ deps, clock, operator }: Service, { bus }: Queues, path: string): Promise<void> {
  await eventually(async () => (await bus.emptiedAt(clock)) !== undefined)
  // Shorter than the 75 s after which a job counts as late.
  clock.advance(20_000)
  await runNow(bus, 'recoverDeliveries')
  await eventually(async () => (await operator.get(path)).body.data[0]?.status === 'delivered')
  // The last part of an erasure runs two minutes later.
  await eventually(async () => (await deps.db.read.$count(outbox, ne(outbox.job, 'finishErasure'))) === 0)
}

test('jobs that wait when the queues move from SQLite to Redis are done once', {
  tags: 'sqlite',
}, async () => {
  await using receiver = await startReceiver()
  const server = await startRedis()
  await using service = await startService({ env: { QUEUE: 'database', REDIS_URL: '' }, roles: queueing })
  const { secrets, bus, config } = service.deps
  const broker = createRedisBroker({ redisUrl: server.url, prefix: config.redisPrefix, secrets })
  const inDatabase = { broker: service.broker, bus }
  const inRedis = { broker, bus: broker.openBus() }
  await inRedis.bus.connected
  // Of an earlier use of this Redis. With a schedule, it does not count as emptied.
  const template = { name: 'queueDueDeliveries', data: { payload: {} } }
  await inRedis.bus.queue('delivery').upsertJobScheduler('queueDueDeliveries', { every: 1_000 }, template)

  const path = await queueWork(service, inDatabase, receiver.url)
  await service.workers.stop()
  const workers = await startOn(service, inRedis, workerRoles)
  await expectDone(service, inRedis, path)
  expect(await bus.queue('delivery').getJobs()).toEqual([])
  expect(await bus.queue('signing-bulk').getJobs()).toEqual([])
  await workers.stop()
  await inRedis.bus.close()
  await server.stop()
  expect(receiver.deliveries).toHaveLength(1)
})
