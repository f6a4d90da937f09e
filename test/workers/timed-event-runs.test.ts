import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { offers } from '../../db/tables/issuance/offers.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { minuteMs, plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { findTimedEvents } from '../../workers/publishing/find-timed-events.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { findTimedEventsNow, foundUntil, newWebhook } from '../harness/timed-events.ts'
import { startReceiver } from '../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const find = () => findTimedEventsNow(service)

/** Copies an offer of the tenant. The copies expire at these times after the offer. */
async function copyOffer(tenant: TestTenant, afterMs: number[]): Promise<string[]> {
  const { id } = await newOffer(tenant, [await webConfiguration(tenant)])
  const { db } = service.deps
  const [offer] = await db.read.select().from(offers).where(eq(offers.id, id))
  const copies = afterMs.map((ms) => {
    return { ...offer!, id: newId(), codeHash: newId(), expiresAt: plusMs(offer!.expiresAt, ms) }
  })
  await db.tx(async (tx) => {
    await tx.insert(offers).values(copies)
  })
  return [id, ...copies.map((copy) => copy.id)].sort()
}

/** Returns the ids of the offers whose expiry is in the outbox. */
async function announced(tenant: TestTenant): Promise<string[]> {
  const rows = await service.deps.db.read.select().from(outbox)
  const subjects = rows.flatMap(({ job, payload }) => {
    // Boundary: `addToOutbox` typed the payloads when they were written.
    const one = payload as Payload<'fanOut'>['items'][number]
    if (one.tenantId !== tenant.id) return []
    return job === 'fanOutChanges' ? (payload as Payload<'fanOutChanges'>).subjects : [one.subjectId]
  })
  return subjects.map((subject) => subject.split('.').at(-1)!).sort()
}

test('no expired offer is lost between pages, and a run without time continues after a millisecond', async () => {
  const tenant = await service.addTenant()
  const other = await service.addTenant()
  await using receiver = await startReceiver()
  const path = await newWebhook(tenant, receiver, ['OfferExpired'])
  const ids = await copyOffer(tenant, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2_000, 2_000])
  await copyOffer(other, [0, 1])
  service.clock.advance(30 * minuteMs)
  await service.workers.stop()
  const settledMs = service.clock.now().getTime() - 5_000
  const eventIds = new Set<string>()
  let runs = 0
  for (; (await foundUntil(service, path))!.getTime() < settledMs; runs++) {
    await findTimedEvents(service.deps, { runMs: 0, pageSize: 3 })
    for (const id of await announced(tenant)) eventIds.add(id)
    expect(runs).toBeLessThan(20)
  }
  expect(runs).toBeGreaterThan(1)
  expect([...eventIds].sort()).toEqual(ids)
  expect(await announced(other)).toEqual([])
  await service.workers.start()
  await eventually(async () => receiver.deliveries.length >= ids.length)
  await find()
  expect(receiver.deliveries).toHaveLength(ids.length)
})

test('a tenant that fails does not block the others, and the next run searches it again', async () => {
  const failing = await service.addTenant()
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const path = await newWebhook(failing, receiver, ['OfferExpired'])
  await newWebhook(tenant, receiver, ['OfferExpired'])
  const failed = await copyOffer(failing, [1])
  service.clock.advance(minuteMs)
  const ids = await copyOffer(tenant, [1])
  service.clock.advance(30 * minuteMs)
  await service.workers.stop()
  const before = await foundUntil(service, path)
  const { db } = service.deps
  let transactions = 0
  const tx: typeof db.tx = (work) => {
    transactions++
    if (transactions === 1) throw new Error('this tenant fails')
    return db.tx(work)
  }
  await expect(findTimedEvents({ ...service.deps, db: { ...db, tx } })).rejects.toThrow('this tenant fails')
  expect(await announced(tenant)).toEqual(ids)
  expect(await announced(failing)).toEqual([])
  expect(await foundUntil(service, path)).toEqual(before)
  await findTimedEvents(service.deps)
  expect(await announced(failing)).toEqual(failed)
  await service.workers.start()
  await eventually(async () => receiver.deliveries.length === 4)
})

test('a webhook receives no offer that expired before its creation', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  await using late = await startReceiver()
  await newWebhook(tenant, receiver, ['OfferExpired'])
  const ids = await copyOffer(tenant, [1])
  service.clock.advance(30 * minuteMs)
  const path = await newWebhook(tenant, late, ['OfferExpired'])
  await copyOffer(tenant, [1])
  await find()
  await eventually(async () => receiver.deliveries.length === ids.length)
  service.clock.advance(30 * minuteMs)
  await find()
  await eventually(async () => receiver.deliveries.length === 4 && late.deliveries.length >= 2)
  expect(late.deliveries).toHaveLength(2)
  expect((await tenant.operator.get(`${path}/deliveries`)).body.data).toHaveLength(2)
})
