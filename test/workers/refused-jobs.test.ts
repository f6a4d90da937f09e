import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addToOutbox } from '../../db/outbox.ts'
import { ecosystemIntegrations } from '../../db/tables/ecosystems/integrations.ts'
import { outgoingLines } from '../../db/tables/messaging/outgoing-lines.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { newId } from '../../shared/ids.ts'
import { createAttemptLimiter } from '../../workers/delivery/attempt-limiter.ts'
import { fanOut } from '../../workers/delivery/fan-out.ts'
import { queueDueMessages } from '../../workers/delivery/messages/queue-due-messages.ts'
import { queueDueDeliveries } from '../../workers/delivery/queue-due-deliveries.ts'
import { queueDueIntegrations } from '../../workers/integrations/queue-due-integrations.ts'
import type { WorkerDeps } from '../../workers/jobs/handlers.ts'
import { moveOutboxRows } from '../../workers/jobs/relay.ts'
import { newEcosystem } from '../api/ecosystems/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { issueOne } from '../harness/issued.ts'
import { newJwe } from '../wallets/messages.ts'

const attemptLimiter = createAttemptLimiter()
/** No worker takes jobs here, so the queues show what was added. */
let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
beforeEach(async () => {
  await service.deps.db.tx(async (tx) => void (await tx.delete(outbox)))
})
afterAll(() => service[Symbol.asyncDispose]())

const outage = new Problem('service_unavailable')

/** A bus that fails from the given call of `sendMany` on, as when Redis ends after a row was taken. */
function refusingFrom(call: number, error: Error = outage): WorkerDeps['bus'] {
  const { bus } = service.deps
  let calls = 0
  const sendMany: typeof bus.sendMany = async (...given) => {
    calls += 1
    if (calls >= call) throw error
    await bus.sendMany(...given)
  }
  return { ...bus, sendMany }
}

const loadOf = () => 0
const relay = (bus = service.deps.bus) => moveOutboxRows({ ...service.deps, bus }, loadOf)

async function addOne(): Promise<string> {
  const id = newId()
  const payload = { tenantId: service.id, kind: 'issuance', subjectId: id } as const
  await service.deps.db.tx((tx) => addToOutbox(tx, 'fanOut', [{ id, payload }], service.clock.now()))
  return id
}

test('outbox rows that Redis refuses are queued by the next run of the relay', async () => {
  await addOne()
  await expect(relay(refusingFrom(1))).rejects.toBe(outage)
  expect(await relay()).toBe(1)
})

test('an outbox row that fails for another reason waits, so that it does not delay the other rows', async () => {
  await addOne()
  const error = new Error('not serializable')
  await expect(relay(refusingFrom(1, error))).rejects.toBe(error)
  expect(await relay()).toBe(0)
})

/** Creates a tenant with one due delivery. */
async function tenantWithDelivery(): Promise<TestTenant> {
  const tenant = await service.addTenant()
  const webhook = { events: ['OpenIdCredentialIssued'], url: 'http://127.0.0.1:9/' }
  expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const { issuanceId } = await issueOne(service, tenant.id)
  const items = [{ tenantId: tenant.id, kind: 'issuance' as const, subjectId: issuanceId }]
  await fanOut({ ...service.deps, bus: refusingFrom(1) }, items, { isRepeated: false })
  return tenant
}

/** Returns the tenants of the items of the waiting jobs, each as often as it has an item. */
async function queuedOf(job: 'deliverWebhooks' | 'sendMessages', tenants: TestTenant[]): Promise<string[]> {
  const jobs = await service.deps.bus.queue('delivery').getJobs(['waiting', 'prioritized'])
  const ids: string[] = jobs
    .filter(({ name }) => name === job)
    .flatMap(({ data }) => data.payload.items.map(({ tenantId }: { tenantId: string }) => tenantId))
  return ids.filter((id) => tenants.some((tenant) => tenant.id === id)).sort()
}

const idsOf = (tenants: TestTenant[]) => tenants.map(({ id }) => id).sort()

test('due deliveries that Redis refuses are queued by the next run, and those that it accepted are not queued twice', async () => {
  const tenants = [await tenantWithDelivery(), await tenantWithDelivery(), await tenantWithDelivery()]
  const queueDue = (bus = service.deps.bus) => queueDueDeliveries({ ...service.deps, bus, attemptLimiter })
  await expect(queueDue(refusingFrom(2))).rejects.toBe(outage)
  expect(await queuedOf('deliverWebhooks', tenants)).toHaveLength(1)
  await queueDue()
  expect(await queuedOf('deliverWebhooks', tenants)).toEqual(idsOf(tenants))
})

test('due messages that Redis refuses are queued by the next run', async () => {
  const tenants = [await service.addTenant(), await service.addTenant()]
  for (const { id, operator } of tenants) {
    const to = 'did:web:localhost%3A9'
    expect(await operator.post('/v1/messaging/send', { to, message: newJwe() })).toMatchObject({ status: 200 })
    await service.deps.db.tx((tx) =>
      tx.update(outgoingLines).set({ queuedUntil: null }).where(eq(outgoingLines.tenantId, id)),
    )
  }
  const queueDue = (bus = service.deps.bus) => queueDueMessages({ ...service.deps, bus })
  await expect(queueDue(refusingFrom(2))).rejects.toBe(outage)
  expect(await queuedOf('sendMessages', tenants)).toHaveLength(1)
  await queueDue()
  expect(await queuedOf('sendMessages', tenants)).toEqual(idsOf(tenants))
})

test('due integrations that Redis refuses are queued by the next run', async () => {
  const tenant = await service.addTenant()
  await newEcosystem(tenant, { integrations: [{ format: 'VICAL', url: 'http://127.0.0.1:9/' }] })
  const [row] = await service.deps.db.read
    .select()
    .from(ecosystemIntegrations)
    .where(eq(ecosystemIntegrations.tenantId, tenant.id))
  await expect(queueDueIntegrations({ ...service.deps, bus: refusingFrom(1) })).rejects.toBe(outage)
  await queueDueIntegrations(service.deps)
  const jobs = await service.deps.bus.queue('integrations').getJobs(['waiting'])
  expect(jobs.map(({ data }) => data.payload.integrationId)).toEqual([row!.id])
})
