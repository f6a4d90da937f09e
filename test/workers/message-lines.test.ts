import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freeQueuedLines } from '../../db/repos/messaging/due-lines.ts'
import { endLine, findLine, recordSend, returnLine } from '../../db/repos/messaging/outgoing-messages.ts'
import { outgoingLines } from '../../db/tables/messaging/outgoing-lines.ts'
import { outgoingMessages } from '../../db/tables/messaging/outgoing-messages.ts'
import { plusMs } from '../../shared/clock.ts'
import type { LineRef } from '../../shared/jobs/payloads.ts'
import { createAttemptLimiter } from '../../workers/delivery/attempt-limiter.ts'
import { AttemptPostponed } from '../../workers/delivery/attempt-postponed.ts'
import { sendLine } from '../../workers/delivery/messages/send-line.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { type Recipient, type RecipientOptions, startRecipient } from '../servers/recipient.ts'
import { newJwe } from '../wallets/messages.ts'

/** No worker sends messages. Each test runs the jobs itself. */
let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const send = ({ operator }: TestTenant, to: string) => operator.post('/v1/messaging/send', { to, message: newJwe() })

/** A line of two messages, and the job that it is queued for. */
async function newLine(options: RecipientOptions = {}) {
  const tenant = await service.addTenant()
  const recipient: Recipient = await startRecipient(options)
  const did = recipient.did('ann')
  for (let count = 0; count < 2; count++) expect(await send(tenant, did)).toMatchObject({ status: 200 })
  const { db } = service.deps
  const [{ id: lineId, queuedUntil }] = (await db.read
    .select()
    .from(outgoingLines)
    .where(and(eq(outgoingLines.tenantId, tenant.id), eq(outgoingLines.recipient, did)))) as [
    typeof outgoingLines.$inferSelect,
  ]
  const ref: LineRef = { tenantId: tenant.id, lineId, queuedUntil: queuedUntil!.getTime() }
  return {
    ...{ tenant, recipient, did, ref },
    run: (of = ref, now = service.deps.clock.now) =>
      sendLine({ ...service.deps, clock: { now }, attemptLimiter: createAttemptLimiter(), retryPausesMs: [40] }, of),
    line: async () => (await findLine(db.read, tenant.id, lineId))!,
    messages: () => db.read.select().from(outgoingMessages).where(eq(outgoingMessages.lineId, lineId)),
    [Symbol.asyncDispose]: () => recipient[Symbol.asyncDispose](),
  }
}

const anothers = (ref: LineRef): LineRef => ({ ...ref, queuedUntil: ref.queuedUntil + 1_000 })

test('a job that no longer holds the queue of a recipient, or whose time is over, sends nothing', async () => {
  await using of = await newLine()
  await of.run(anothers(of.ref))
  await expect(of.run(of.ref, () => new Date(of.ref.queuedUntil))).rejects.toThrow(AttemptPostponed)
  expect(of.recipient.messages('ann')).toEqual([])
  await of.run()
  expect(of.recipient.messages('ann')).toHaveLength(2)
})

test('a queue that takes long is postponed between two messages', async () => {
  const realNow = performance.now.bind(performance)
  let tookMs = 0
  await using of = await newLine({
    answer() {
      tookMs += 6_000
      return {}
    },
  })
  const now = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + tookMs)
  try {
    await expect(of.run()).rejects.toThrow(AttemptPostponed)
  } finally {
    now.mockRestore()
  }
  expect(of.recipient.messages('ann')).toHaveLength(1)
})

test('two concurrent runs of a job keep the order', async () => {
  await using of = await newLine({ answer: (_name, count) => ({ delayMs: count === 0 ? 60 : 1 }) })
  await Promise.all([of.run(), of.run()])
  const tags = of.recipient.messages('ann').map(({ body }) => body.tag)
  expect(new Set(tags).size).toBe(2)
  expect(await of.messages()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  expect(await of.line()).toMatchObject({ nextAttemptAt: null, queuedUntil: null })
})

test('of two failed runs one is counted, and a recorded delivery stays, whatever the other run saw', async () => {
  await using of = await newLine()
  const { db, clock } = service.deps
  const [message] = await of.messages()
  const record = (state: 'pending' | 'delivered') =>
    db.tx((tx) => recordSend(tx, message!, { attempt: { at: '' }, state }, clock.now()))
  expect([await record('pending'), await record('pending'), await record('delivered')]).toEqual([true, false, true])
  expect([await record('delivered'), await record('pending')]).toEqual([false, false])
})

test('a job does not release or end a queue that it no longer holds', async () => {
  await using of = await newLine()
  const { db, clock } = service.deps
  const before = await of.line()
  await db.tx((tx) =>
    tx.update(outgoingMessages).set({ state: 'delivered' }).where(eq(outgoingMessages.lineId, before.id)),
  )
  await db.tx((tx) => returnLine(tx, anothers(of.ref), clock.now()))
  expect(await db.tx((tx) => endLine(tx, anothers(of.ref), clock.now()))).toBe(false)
  expect(await of.line()).toEqual(before)
})

test('a queue is released only after an attempt that started at the last moment was recorded', async () => {
  await using of = await newLine()
  const { db } = service.deps
  const until = new Date(of.ref.queuedUntil)
  await db.tx((tx) => freeQueuedLines(tx, plusMs(until, 14_999), 100))
  expect((await of.line()).queuedUntil).toEqual(until)
  await db.tx((tx) => freeQueuedLines(tx, plusMs(until, 15_000), 100))
  expect((await of.line()).queuedUntil).toBeNull()
})

test('the number of waiting messages to one recipient is limited', async () => {
  await using of = await newLine()
  const { db } = service.deps
  const [{ id: _, ...message }] = (await of.messages()) as [typeof outgoingMessages.$inferSelect]
  const more = Array.from({ length: 997 }, (_, n) => ({ ...message, id: `${of.ref.lineId}-${n}`, message: newJwe(1) }))
  await db.tx((tx) => tx.insert(outgoingMessages).values(more))
  expect(await send(of.tenant, of.did)).toMatchObject({ status: 200 })
  expect(await send(of.tenant, of.did)).toMatchObject({
    status: 409,
    body: { message: 'At most 1000 messages to a recipient can wait. Try again later.' },
  })
  expect(await send(of.tenant, of.recipient.did('bob'))).toMatchObject({ status: 200 })
})
