// @module-tag redis

import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs, plusMs } from '../../shared/clock.ts'
import { isJobName, jobs } from '../../shared/jobs/registry.ts'
import { type RunningWorker, startWorkers } from '../../workers/start.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'
import { runNow } from '../harness/run-now.ts'
import { startReceiver } from '../servers/receiver.ts'

let redis: TestRedis
let service: Service
let receiver: Awaited<ReturnType<typeof startReceiver>>
let delivery: RunningWorker | undefined
beforeAll(async () => {
  redis = await startRedis()
  receiver = await startReceiver()
  service = await startService({
    redisUrl: redis.url,
    roles: ['relay', 'scheduler', 'signing', 'publishing', 'upkeep'],
  })
})
afterAll(async () => {
  await delivery?.stop()
  await service?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
  await redis?.stop()
})

const startDelivery = (deps = service.deps) => startWorkers(['delivery'], { ...deps, broker: service.broker })

/** Sends a test event to a new webhook, and waits until the job of its delivery is in Redis. */
async function queueDelivery(url = receiver.url): Promise<string> {
  const { deps, operator } = service
  const { body } = await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
  await operator.post(`/v1/webhooks/${body.id}/test`)
  const queue = deps.bus.queue('delivery')
  const names = async () => (await queue.getJobs(['waiting', 'prioritized'])).map(({ name }) => name)
  await eventually(async () => (await names()).includes('deliverWebhooks'))
  return `/v1/webhooks/${body.id}/deliveries`
}

const delivered = (path: string) =>
  eventually(async () => {
    const [first] = (await service.operator.get(path)).body.data
    return first?.status === 'delivered' && first
  })

test('after FLUSHALL the schedules come back, and a delivery whose job was lost is sent within 30 s', async () => {
  const { bus } = service.deps
  const path = await queueDelivery()
  const before = await bus.emptiedAt(service.clock)
  const client = new Redis(redis.url)
  await client.flushall()
  client.disconnect()
  await eventually(async () => (await bus.emptiedAt(service.clock))?.getTime() !== before?.getTime())
  for (const [name, { queue, everyMs }] of Object.entries<{ queue: string; everyMs?: number }>(jobs))
    if (everyMs !== undefined && isJobName(name))
      await eventually(async () => (await bus.queue(queue as 'delivery').getJobScheduler(name)) !== undefined)

  delivery = await startDelivery()
  // Shorter than the 75 s after which a job counts as late.
  service.clock.advance(20_000)
  await runNow(bus, 'recoverDeliveries')
  expect(await delivered(path)).toMatchObject({ attempts: [{ status: 200 }] })
  expect(receiver.deliveries).toHaveLength(1)
})

test('a job that was queued before Redis was emptied makes no attempt, so that its delivery is not sent twice', async () => {
  const { bus, outbound } = service.deps
  await delivery?.stop()
  const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
  await using slow = await startReceiver(() => mayAnswer.then(() => ({})))
  const path = await queueDelivery(slow.url)
  const before = await bus.emptiedAt(service.clock)
  await bus.reportEmptied(service.clock.now())
  await eventually(async () => (await bus.emptiedAt(service.clock))?.getTime() !== before?.getTime())
  const request: typeof outbound.request = (given) => outbound.request({ ...given, timeoutMs: 600_000 })
  delivery = await startDelivery({ ...service.deps, outbound: { ...outbound, request } })
  await eventually(async () => slow.deliveries.length === 1)
  service.clock.advance(20_000)
  await runNow(bus, 'recoverDeliveries')
  await runNow(bus, 'queueDueDeliveries')
  // A second job would be running before the first attempt ends.
  await eventually(async () => (await bus.queue('delivery').getJobs(['waiting', 'prioritized'])).length === 0)
  letAnswer()
  expect(await delivered(path)).toMatchObject({ attempts: [{ status: 200 }] })
  expect(slow.deliveries).toHaveLength(1)
})

test('a time of a scheduler whose clock is ahead does not hold back the jobs that are queued later', async () => {
  const { bus } = service.deps
  await delivery?.stop()
  const before = await bus.emptiedAt(service.clock)
  await bus.reportEmptied(plusMs(service.clock.now(), hourMs))
  await eventually(async () => (await bus.emptiedAt(service.clock))?.getTime() !== before?.getTime())
  await using own = await startReceiver()
  const path = await queueDelivery(own.url)
  delivery = await startDelivery()
  expect(await delivered(path)).toMatchObject({ attempts: [{ status: 200 }] })
  expect(own.deliveries).toHaveLength(1)
})
