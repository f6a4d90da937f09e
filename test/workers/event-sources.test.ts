import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addToOutbox } from '../../db/outbox.ts'
import { insertDeliveries, newDelivery } from '../../db/repos/operations/webhooks/deliveries.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { derivedOrderedId, newId } from '../../shared/ids.ts'
import { fanOut } from '../../workers/delivery/fan-out.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { type Issued, issueMany, issueOne } from '../harness/issued.ts'
import { runNow } from '../harness/run-now.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const full = 'OpenIdCredentialIssued'
const summary = 'OpenIdCredentialIssuedSummary'

async function subscribe(tenant: TestTenant, { url }: Receiver, events = [full, summary]): Promise<string> {
  const { status, body } = await tenant.operator.post('/v1/webhooks', { events, url })
  expect(status).toBe(201)
  return body.id
}

const rowsOf = (webhookId: string) =>
  service.deps.db.read.select().from(deliveries).where(eq(deliveries.webhookId, webhookId))
const rowsInOutbox = (id: string) => service.deps.db.read.$count(outbox, eq(outbox.id, id))
const credentialIds = (receiver: Receiver) => receiver.deliveries.map(({ body }) => body.event.payload.credentialId)

/** Stops the workers, so that nothing is delivered meanwhile. */
async function withoutWorkers<Value>(act: () => Promise<Value>): Promise<Value> {
  await service.workers.stop()
  try {
    return await act()
  } finally {
    await service.workers.start()
  }
}

test('the ids of events and deliveries are derived from credential, kind and webhook, as in every version', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const webhookId = await subscribe(tenant, receiver)
  const { credentialId } = await issueOne(service, tenant.id)
  await eventually(async () => receiver.deliveries.length === 2)
  const rows = await rowsOf(webhookId)
  for (const { id, eventId, kind, eventAt } of rows) {
    expect(eventId).toBe(derivedOrderedId(eventAt, credentialId, kind))
    expect(id).toBe(derivedOrderedId(eventAt, webhookId, eventId))
  }
  expect(rows.map(({ kind }) => kind).sort()).toEqual([full, summary])
  expect(rows.map(({ subjectKind, objectId }) => [subjectKind, objectId])).toEqual([
    ['issuance', credentialId],
    ['issuance', credentialId],
  ])
})

test('outbox rows and jobs of an earlier version are delivered once', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const webhookId = await subscribe(tenant, receiver, [full])
  const { db, bus } = service.deps
  const [{ issuanceId, credentialId }, other] = await withoutWorkers(async () => {
    const issued = (await issueMany(service, tenant.id, 2)) as [Issued, Issued]
    const [left, queued] = issued
    await db.tx(async (tx) => {
      for (const each of issued) await tx.delete(outbox).where(eq(outbox.id, each.issuanceId))
      const entry = { id: left.issuanceId, payload: { tenantId: tenant.id, issuanceId: left.issuanceId } }
      await addToOutbox(tx, 'fanOutIssuances', [entry], service.clock.now())
    })
    await bus.send('fanOutIssuances', { items: [{ tenantId: tenant.id, issuanceId: queued.issuanceId }] })
    return issued
  })
  await eventually(async () => receiver.deliveries.length === 2)
  expect(credentialIds(receiver).sort()).toEqual([credentialId, other.credentialId].sort())
  await eventually(async () => (await rowsInOutbox(issuanceId)) === 0)

  await fanOut(service.deps, [{ tenantId: tenant.id, kind: 'issuance', subjectId: issuanceId }], { isRepeated: false })
  await bus.send('fanOutIssuances', { items: [{ tenantId: tenant.id, issuanceId }] })
  await eventually(async () => (await db.read.$count(outbox)) === 0)
  await runNow(bus, 'queueDueDeliveries', 'delivery')
  expect(await rowsOf(webhookId)).toHaveLength(2)
  expect(receiver.deliveries).toHaveLength(2)
})

test('deliveries of an earlier version, which have no subject kind, have the same content', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const issued = await issueOne(service, tenant.id)
  await eventually(async () => (await rowsInOutbox(issued.issuanceId)) === 0)
  const webhookId = await subscribe(tenant, receiver, [full])
  const at = service.clock.now()
  const common = { tenantId: tenant.id, webhookId, kind: full, subjectKind: 'issuance', eventAt: at } as const
  const before = [issued.credentialId, null].map((objectId) => {
    const made = newDelivery({ ...common, objectId, eventId: newId() }, at)
    return { ...made, subjectKind: null, queuedUntil: null }
  })
  await service.deps.db.tx((tx) => insertDeliveries(tx, before))
  await eventually(async () => receiver.deliveries.length === 2)
  const payloads = new Map(receiver.deliveries.map(({ body }) => [body.event.id, body.event.payload]))
  const { credentialId, credential } = issued
  expect(payloads.get(before[0]!.eventId)).toMatchObject({ credentialId, credential, format: 'cwt' })
  expect(payloads.get(before[1]!.eventId)).toMatchObject({ test: true, credential: 'test', format: 'test' })
})

test('a test event has its own subject kind', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const webhookId = await subscribe(tenant, receiver)
  expect((await tenant.operator.post(`/v1/webhooks/${webhookId}/test`)).status).toBeLessThan(300)
  await eventually(async () => receiver.deliveries.length === 1)
  expect(await rowsOf(webhookId)).toMatchObject([{ subjectKind: 'test', objectId: null, kind: full }])
})

test('an event of a kind that only another version knows waits for that version and blocks nothing', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const webhookId = await subscribe(tenant, receiver, [full])
  const { db, bus } = service.deps
  // Boundary: of tomorrow.
  const [kind, tomorrow] = ['ofTomorrow' as 'issuance', 'EventOfTomorrow' as typeof full]
  const [subjectId, at] = [newId(), service.clock.now()]
  const unknown = { tenantId: tenant.id, kind, subjectId }
  const { credentialId, issuanceId } = await withoutWorkers(async () => {
    const issued = await issueOne(service, tenant.id)
    await db.tx(async (tx) => {
      await tx
        .update(webhooks)
        .set({ events: [full, tomorrow] })
        .where(eq(webhooks.id, webhookId))
      await addToOutbox(tx, 'fanOut', [{ id: subjectId, payload: unknown }], at)
      const event = { subjectKind: kind, objectId: newId(), eventId: newId(), kind: full, eventAt: at } as const
      await insertDeliveries(tx, [newDelivery({ tenantId: tenant.id, webhookId, ...event }, at)])
      await tx.update(deliveries).set({ queuedUntil: null }).where(eq(deliveries.webhookId, webhookId))
    })
    return issued
  })
  await bus.send('fanOut', { items: [unknown, { tenantId: tenant.id, kind: 'issuance', subjectId: issuanceId }] })
  await eventually(async () => receiver.deliveries.length === 1)
  await eventually(async () => (await rowsInOutbox(issuanceId)) === 0)
  expect(credentialIds(receiver)).toEqual([credentialId])
  expect(await rowsInOutbox(subjectId)).toBe(1)
  expect((await rowsOf(webhookId)).map((row) => row.kind)).toEqual([full, full])
  const isPutOff = async () => {
    const [row] = (await rowsOf(webhookId)).filter(({ subjectKind }) => subjectKind === kind)
    return row?.state === 'pending' && row.queuedUntil === null && row.nextAttemptAt! > at && row.attempts.length === 0
  }
  await eventually(isPutOff)
  await db.tx((tx) => tx.delete(webhooks).where(eq(webhooks.id, webhookId)))
})
