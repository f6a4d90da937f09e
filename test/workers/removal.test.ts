import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { insertDeliveries, newDelivery } from '../../db/repos/operations/webhooks/deliveries.ts'
import { retentionRules } from '../../db/retention/retention-table.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events as eventRows } from '../../db/tables/operations/events.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { tenants } from '../../db/tables/tenancy/tenants.ts'
import { derivedOrderedId, newId } from '../../shared/ids.ts'
import { removeTenant, removeWebhook } from '../../workers/upkeep/remove-deleted.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const events = ['OpenIdCredentialIssued']
const deliveriesOf = (webhookId: string) => service.deps.db.read.$count(deliveries, eq(deliveries.webhookId, webhookId))
const rowsInOutbox = (id: string) => service.deps.db.read.$count(outbox, eq(outbox.id, id))
const second = { number: 2, isLast: false, isRepeated: true, starts: 2, interruptedStarts: 1 }

async function addDeliveries(webhookId: string, count: number): Promise<void> {
  const at = service.clock.now()
  const rows = Array.from({ length: count }, () => {
    const objectId = newId()
    const event = { eventId: derivedOrderedId(at, objectId), kind: 'OpenIdCredentialIssued', eventAt: at } as const
    const subject = { subjectKind: 'issuance', objectId } as const
    return {
      ...newDelivery({ tenantId: service.id, webhookId, ...subject, ...event }, at),
      state: 'delivered' as const,
      nextAttemptAt: null,
    }
  })
  await service.deps.db.tx((tx) => insertDeliveries(tx, rows))
}

test('a deleted webhook is invisible at once, and its deliveries are removed one by one, including late ones', async () => {
  const { operator, deps } = service
  const { body: webhook } = await operator.post('/v1/webhooks', { events, url: 'http://127.0.0.1:9/one' })
  const { body: other } = await operator.post('/v1/webhooks', { events, url: 'http://127.0.0.1:9/other' })
  await addDeliveries(webhook.id, 1_200)
  await addDeliveries(other.id, 3)
  await service.workers.stop()
  const transactions = vi.spyOn(deps.db, 'tx')
  expect(await operator.delete(`/v1/webhooks/${webhook.id}`)).toMatchObject({ status: 204 })
  expect(transactions).toHaveBeenCalledTimes(1)
  expect(await operator.get(`/v1/webhooks/${webhook.id}/deliveries`)).toMatchObject({ status: 404 })
  expect(await deliveriesOf(webhook.id)).toBe(1_200)

  await service.workers.start()
  await eventually(async () => (await deliveriesOf(webhook.id)) === 0)
  // A fan-out that was under way.
  await addDeliveries(webhook.id, 2)
  expect(await rowsInOutbox(webhook.id)).toBe(1)
  await removeWebhook(deps, { tenantId: service.id, webhookId: webhook.id }, second)
  expect([await deliveriesOf(webhook.id), await rowsInOutbox(webhook.id)]).toEqual([0, 0])
  expect(await deliveriesOf(other.id)).toBe(3)
})

test('a deleted tenant leaves no row in any table, and its names are free at once', async () => {
  const { deps } = service
  const tenant = await service.addTenant({ subdomain: 'gone', aliases: ['gone.example'] })
  const common = {
    type: 'USER_CREATE_FAIL',
    category: 'USERS',
    timestamp: service.clock.now().toISOString(),
    requestId: newId(),
    data: {},
  }
  const offer = await newOffer(tenant, [await compactConfiguration(tenant)])
  expect(await (await newWallet(tenant, service.origin, offer.uri)).collect()).toMatchObject({ status: 200 })
  await newOffer(tenant, [await compactConfiguration(tenant)])
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 404 })
  expect(await tenant.operator.get('/v1/users')).toMatchObject({ status: 404 })
  await service.addTenant({ subdomain: 'gone', aliases: ['gone.example'] })

  const left = async () => {
    const counted = retentionRules.map(async ({ table, tenant: of }) =>
      of ? deps.db.read.$count(table, eq(of, tenant.id)) : 0,
    )
    return (await Promise.all(counted)).reduce((sum, count) => sum + count, 0)
  }
  await eventually(async () => (await left()) === 0)
  // The remaining count of aggregated events arrives up to a minute later, and a queue can be long.
  const [late, other] = [newId(), newId()]
  await deps.bus.send('recordEvents', {
    events: [
      { ...common, id: late, tenantId: tenant.id },
      { ...common, id: other, tenantId: service.id },
    ],
  })
  await eventually(async () => (await deps.db.read.$count(eventRows, eq(eventRows.id, other))) === 1)
  expect(await deps.db.read.$count(eventRows, eq(eventRows.id, late))).toBe(0)
  await removeTenant(deps, { tenantId: tenant.id }, second)
  expect(await left()).toBe(0)
  expect(await deps.db.read.$count(tenants, eq(tenants.id, tenant.id))).toBe(0)
  expect(await rowsInOutbox(tenant.id)).toBe(0)
})
