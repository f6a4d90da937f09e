import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertDeliveries, newDelivery } from '../../db/repos/operations/webhooks/deliveries.ts'
import { insertWebhook } from '../../db/repos/operations/webhooks/webhooks.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { newId } from '../../shared/ids.ts'
import { createAttemptLimiter } from '../../workers/delivery/attempt-limiter.ts'
import type { SendingDeps } from '../../workers/delivery/deliver-webhook.ts'
import { deliverWebhooks } from '../../workers/delivery/deliver-webhooks.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

const at = new Date('2026-06-01T12:00:00Z')
const tenantId = newId()
const secondStart = { starts: 2, interruptedStarts: 1 }

let database: OpenDatabase
beforeEach(async () => {
  database = await openNewDatabase()
})
afterEach(() => database.drop())

/** A queued delivery, and what its job does when it starts again in a process whose attempt limiter is open or closed. */
async function queuedDelivery({ disabled = false, isLimiterOpen = true } = {}) {
  const { db } = database
  const events = ['OpenIdCredentialIssued' as const]
  const row = await db.tx(async (tx) => {
    const { id: webhookId } = await insertWebhook(tx, tenantId, { events, url: 'https://a.example', disabled }, at)
    const event = { tenantId, webhookId, eventId: newId(), kind: events[0]!, eventAt: at }
    const made = newDelivery({ ...event, subjectKind: 'test', objectId: null }, at)
    await insertDeliveries(tx, [made])
    return made
  })
  const attemptLimiter = createAttemptLimiter()
  if (!isLimiterOpen) attemptLimiter.close()
  const bus = { emptiedAt: async () => undefined }
  const needs = { db, bus, attemptLimiter, clock: { now: () => at }, log: pino({ level: 'silent' }) }
  // Nothing is signed or sent in these tests.
  const deps = needs as unknown as SendingDeps
  const { webhookId, id: deliveryId, queuedUntil } = row
  const ref = { tenantId, webhookId, deliveryId, queuedUntil: queuedUntil!.getTime() }
  return {
    start: (starts: { starts: number; interruptedStarts: number }) => deliverWebhooks(deps, [ref], starts),
    read: async () => (await db.read.select().from(deliveries))[0]!,
  }
}

const interrupted = { id: expect.any(String), error: expect.stringContaining('may or may not have been sent') }

test('an interrupted attempt is listed when the next start only postpones the delivery', async () => {
  const delivery = await queuedDelivery({ isLimiterOpen: false })
  await delivery.start(secondStart)
  expect(await delivery.read()).toMatchObject({ state: 'pending', queuedUntil: null, attempts: [interrupted] })
})

test('an interrupted attempt is listed when the next start ends the delivery', async () => {
  const delivery = await queuedDelivery({ disabled: true })
  await delivery.start(secondStart)
  expect(await delivery.read()).toMatchObject({ state: 'failed', attempts: [interrupted] })
})

test('each interrupted attempt is listed once, and none of a delivery that belongs to another job', async () => {
  const delivery = await queuedDelivery({ isLimiterOpen: false })
  await Promise.all([delivery.start({ starts: 3, interruptedStarts: 2 }), delivery.start(secondStart)])
  await delivery.start({ starts: 4, interruptedStarts: 3 })
  const { attempts } = await delivery.read()
  expect(attempts.length).toBeLessThanOrEqual(2)
  expect(new Set(attempts.map(({ id }) => id)).size).toBe(attempts.length)
})
