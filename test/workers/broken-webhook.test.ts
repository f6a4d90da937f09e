import { and, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { minuteMs } from '../../shared/clock.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { issueMany } from '../harness/issued.ts'
import { runNow } from '../harness/run-now.ts'
import { startReceiver } from '../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ retryPausesMs: Array.from({ length: 20 }, () => 40) })
})
afterAll(() => service[Symbol.asyncDispose]())

test('a broken webhook gets one delivery at a time, even if the receiver takes longer than the interval of the queue', async () => {
  const tenant = await service.addTenant()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  let answer: () => Promise<{ status: number }> = async () => ({ status: 500 })
  await using receiver = await startReceiver(() => answer())
  const { body } = await tenant.operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url: receiver.url })
  const { read } = service.deps.db
  const isOfWebhook = eq(deliveries.webhookId, body.id)
  const queued = () => read.$count(deliveries, and(isOfWebhook, isNotNull(deliveries.queuedUntil)))
  const row = async () => (await read.select().from(webhooks).where(eq(webhooks.id, body.id)))[0]!

  await issueMany(service, tenant.id, 30)
  await eventually(async () => (await row()).pausedUntil !== null)
  await eventually(async () => (await read.$count(deliveries, isOfWebhook)) === 30)
  await runNow(service.deps.bus, 'queueDueDeliveries', 'delivery')

  answer = () => isReleased.then(() => ({ status: 500 }))
  const before = receiver.deliveries.length
  service.clock.advance(minuteMs)
  await eventually(async () => receiver.deliveries.length > before)
  await runNow(service.deps.bus, 'queueDueDeliveries')
  expect(await queued()).toBeLessThanOrEqual(1)
  await runNow(service.deps.bus, 'queueDueDeliveries')
  expect(await queued()).toBeLessThanOrEqual(1)
  release()
  await runNow(service.deps.bus, 'queueDueDeliveries', 'delivery')
  expect(receiver.deliveries).toHaveLength(before + 1)
})
