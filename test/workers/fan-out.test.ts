import { afterAll, beforeAll, expect, test } from 'vitest'
import { outbox } from '../../db/tables/outbox.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { fanOut } from '../../workers/delivery/fan-out.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { issueMany, issueOne } from '../harness/issued.ts'
import { runNow } from '../harness/run-now.ts'
import { startReceiver } from '../servers/receiver.ts'

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
  tenant: TestTenant
  receiver: Awaited<ReturnType<typeof startReceiver>>
  items: Items
}> {
  const tenant = await service.addTenant()
  const receiver = await startReceiver()
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const { issuanceId } = await issueOne(service, tenant.id)
  return { tenant, receiver, items: [{ tenantId: tenant.id, kind: 'issuance', subjectId: issuanceId }] }
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

test('issuances are counted once, however often and concurrently their job runs', async () => {
  const tenants = [await service.addTenant(), await service.addTenant()]
  const made = await Promise.all(tenants.map(({ id }, place) => issueMany(service, id, 3 + place)))
  const items = made.flatMap((all, place) =>
    all.map(({ issuanceId }) => ({ tenantId: tenants[place]!.id, kind: 'issuance' as const, subjectId: issuanceId })),
  )
  await Promise.all([
    fanOut(service.deps, items.slice(0, 4), first),
    fanOut(service.deps, items, first),
    fanOut(service.deps, items.toReversed(), again),
  ])
  await fanOut(service.deps, items, again)
  for (const [place, { operator }] of tenants.entries()) {
    const { body } = await operator.get('/v1/overview/issuances?days=2')
    expect(body.total).toBe(3 + place)
  }
})

test('an uncommitted fan-out is not counted', async () => {
  const { tenant, receiver, items } = await issued()
  await using _ = receiver
  const failing = {
    ...service.deps,
    db: {
      ...service.deps.db,
      tx: (work: Parameters<typeof service.deps.db.tx>[0]) =>
        service.deps.db.tx(async (tx) => {
          await work(tx)
          throw killed
        }),
    },
  } as typeof service.deps
  await expect(fanOut(failing, items, first)).rejects.toBe(killed)
  expect((await tenant.operator.get('/v1/overview/issuances?days=2')).body.total).toBe(0)
  await fanOut(service.deps, items, again)
  expect((await tenant.operator.get('/v1/overview/issuances?days=2')).body.total).toBe(1)
})
