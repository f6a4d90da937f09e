import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { outbox } from '../../db/tables/outbox.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { fanOut } from '../../workers/delivery/fan-out.ts'
import { createIssuanceCounts } from '../../workers/signing/issuance-counts.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { issueOne } from '../harness/issued.ts'
import { runNow } from '../harness/run-now.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

/** No relay runs here, so only the tests fan out events. */
let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'delivery', 'scheduler', 'upkeep'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const killed = new Error('the worker was killed')
const first = { isRepeated: false }
const again = { isRepeated: true }

async function issued(): Promise<{
  receiver: Awaited<ReturnType<typeof startReceiver>>
  items: Items
}> {
  const tenant = await service.addTenant()
  const receiver = await startReceiver()
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const { issuanceId } = await issueOne(service, tenant.id)
  return { receiver, items: [{ tenantId: tenant.id, kind: 'issuance', subjectId: issuanceId }] }
}

type Items = Parameters<typeof fanOut>[1]

/** A bus that refuses what is sent. */
const refusing = (sendMany: Bus['sendMany']) => ({ ...service.deps, bus: { ...service.deps.bus, sendMany } })

test('deliveries of a worker that died before it queued them are queued by the worker that takes over its job', async () => {
  const { receiver, items } = await issued()
  await using _ = receiver
  let died = false
  const dying = refusing(() => {
    died = true
    return new Promise(() => undefined) // nothing comes after it
  })
  void fanOut(dying, items, first)
  await eventually(async () => died)
  expect(await service.deps.db.read.$count(outbox)).toBe(0)
  service.clock.advance(10)
  await fanOut(service.deps, items, again)
  await eventually(async () => receiver.deliveries.length === 1)
  await fanOut(service.deps, items, again)
  await fanOut(service.deps, items, first)
  await runNow(service.deps.bus, 'queueDueDeliveries', 'delivery')
  expect(receiver.deliveries).toHaveLength(1)
})

test('deliveries that the queue refuses are delivered when the queue works again', async () => {
  const { receiver, items } = await issued()
  await using _ = receiver
  await fanOut(
    refusing(async () => Promise.reject(killed)),
    items,
    first,
  )
  await eventually(async () => receiver.deliveries.length === 1)
})

const full = 'OpenIdCredentialIssued'
const summary = 'OpenIdCredentialIssuedSummary'
const url = 'http://localhost:9/hooks'

/** Issues credentials at the same time. They share transactions. */
async function collect(tenant: TestTenant, count: number): Promise<void> {
  const configurationId = await compactConfiguration(tenant)
  const wallets = await Promise.all(
    Array.from({ length: count }, async () => {
      const wallet = await newWallet(tenant, service.origin, (await newOffer(tenant, [configurationId])).uri)
      expect(await wallet.redeem()).toMatchObject({ status: 200 })
      return wallet
    }),
  )
  const answers = await Promise.all(wallets.map((wallet) => wallet.requestCredential()))
  expect(answers.map(({ status }) => status)).toEqual(wallets.map(() => 200))
}

/** The events of the tenant's outbox rows. */
async function waitingFor({ id }: TestTenant): Promise<Items> {
  const rows = await service.deps.db.read.select().from(outbox).where(eq(outbox.job, 'fanOut'))
  return rows.map(({ payload }) => payload as Items[number]).filter(({ tenantId }) => tenantId === id)
}

test('an issuance has an outbox row only if an enabled webhook or a listener of its tenant receives it', async () => {
  const rowsAfter = async (subscribe: (tenant: TestTenant) => Promise<unknown>) => {
    const tenant = await service.addTenant()
    await subscribe(tenant)
    await collect(tenant, 2)
    return (await waitingFor(tenant)).length
  }
  const webhook = (body: object) => (tenant: TestTenant) => tenant.operator.post('/v1/webhooks', { url, ...body })
  expect(await rowsAfter(async () => undefined)).toBe(0)
  expect(await rowsAfter(webhook({ events: ['AuditCheckpointSigned'] }))).toBe(0)
  expect(
    await rowsAfter(async (tenant) => {
      const { body } = await webhook({ events: [full] })(tenant)
      await tenant.operator.put(`/v1/webhooks/${body.id}`, { url, events: [full], disabled: true })
    }),
  ).toBe(0)
  expect(await rowsAfter(webhook({ events: [summary] }))).toBe(2)
  const listener = { forwardTo: url, events: [full] }
  expect(await rowsAfter(({ operator }) => operator.post('/v1/webhooks/listeners', listener))).toBe(2)
})

test('a webhook that is created while credentials are committed gets all its events of a credential, or none', async () => {
  const tenant = await service.addTenant()
  const created = Array.from({ length: 6 }, async () => {
    const { status, body } = await tenant.operator.post('/v1/webhooks', { url, events: [full, summary] })
    expect(status).toBe(201)
    return body.id as string
  })
  const [ids] = await Promise.all([Promise.all(created), collect(tenant, 8)])
  await fanOut(service.deps, await waitingFor(tenant), first)
  const { read } = service.deps.db
  const rows = await read.select().from(deliveries).where(eq(deliveries.tenantId, tenant.id))
  const eventsOf = Map.groupBy(rows, ({ webhookId, objectId }) => `${webhookId} ${objectId}`)
  for (const events of eventsOf.values()) expect(events.map(({ kind }) => kind).sort()).toEqual([full, summary])
  expect(ids.length * 8).toBeGreaterThanOrEqual(eventsOf.size)
  // A credential that is committed after the last webhook reaches all of them.
  await collect(tenant, 1)
  await fanOut(service.deps, await waitingFor(tenant), first)
  expect(await read.$count(deliveries, eq(deliveries.tenantId, tenant.id))).toBe(rows.length + 2 * ids.length)
})

const totalOf = async ({ operator }: TestTenant) => (await operator.get('/v1/overview/issuances?days=2')).body.total

test('issuances are counted once, with and without a webhook, however often their events are fanned out', async () => {
  const tenants = [await service.addTenant(), await service.addTenant()] as const
  await tenants[1].operator.post('/v1/webhooks', { url, events: [summary] })
  for (const tenant of tenants) await collect(tenant, 3)
  const items = await waitingFor(tenants[1])
  await Promise.all([fanOut(service.deps, items.slice(0, 2), first), fanOut(service.deps, items, first)])
  await fanOut(service.deps, items, again)
  for (const tenant of tenants) await eventually(async () => (await totalOf(tenant)) === 3)
})

test('counts of issuances that cannot be written are written later, at the latest at the end of the process', async () => {
  const tenant = await service.addTenant()
  const { db } = service.deps
  let isAway = true
  const tx = (...call: Parameters<typeof db.tx>) => (isAway ? Promise.reject(killed) : db.tx(...call))
  const counts = createIssuanceCounts({ ...service.deps, db: { ...db, tx } as typeof db })
  counts.add({ tenantId: tenant.id, configurationIds: ['one', 'other'] })
  await counts.flush()
  counts.add({ tenantId: tenant.id, configurationIds: ['one'] })
  expect(await totalOf(tenant)).toBe(0)
  isAway = false
  await counts.close()
  await counts.close()
  expect(await totalOf(tenant)).toBe(3)
})
