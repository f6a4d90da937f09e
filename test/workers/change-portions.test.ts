import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setStatuses } from '../../db/repos/status/entries.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { outbox } from '../../db/tables/outbox.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { fanOutChanges } from '../../workers/delivery/fan-out-changes.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { newCredentials, newList } from '../harness/revocable.ts'
import { startReceiver } from '../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const count = 300

test('many revocations need few outbox rows, and an interrupted job repeats no event', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const events = ['CredentialRevoked', 'CredentialStatusChanged']
  const { body } = await tenant.operator.post('/v1/webhooks', { events, url: receiver.url })
  const listId = await newList(service, tenant.id, 'compact')
  const made = await newCredentials(service, tenant.id, { profile: 'compact', listId, count })
  const ids = made.map(({ credentialId }) => credentialId)
  await service.workers.stop()
  const { db } = service.deps
  await db.tx((tx) => setStatuses(tx, tenant.id, ids, { status: 'invalid', at: service.clock.now() }))
  const rows = await db.read.select().from(outbox)
  const announced = rows.filter(({ job }) => job.startsWith('fanOut'))
  expect(announced.map(({ job }) => job)).toEqual(['fanOutChanges', 'fanOutChanges'])

  // Boundary: `addToOutbox` typed the payload when it was written.
  const payload = announced[0]!.payload as Payload<'fanOutChanges'>
  let transactions = 0
  const tx: typeof db.tx = (work) => {
    transactions++
    if (transactions === 3) throw new Error('the worker ends')
    return db.tx(work)
  }
  const interrupted = { ...service.deps, db: { ...db, tx } }
  await expect(fanOutChanges(interrupted, payload, { isRepeated: false })).rejects.toThrow('ends')
  const stored = await db.read.$count(deliveries, eq(deliveries.webhookId, body.id))
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(payload.subjects.length)

  await service.workers.start()
  const all = await eventually(async () => {
    const rows = await db.read.select().from(deliveries).where(eq(deliveries.webhookId, body.id))
    return rows.length >= 2 * count && rows.every(({ state }) => state === 'delivered') && rows
  })
  expect(all).toHaveLength(2 * count)
  expect(new Set(receiver.deliveries.map((each) => each.body.event.id)).size).toBe(2 * count)
  expect(new Set(receiver.deliveries.map((each) => each.body.event.payload.credentialId))).toEqual(new Set(ids))
  await eventually(async () => (await db.read.$count(outbox)) === 0)
})
