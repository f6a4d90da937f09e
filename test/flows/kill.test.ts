// @module-tag redis

import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { takeFromOutbox } from '../../db/outbox.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { plusMs, systemClock } from '../../shared/clock.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { credentialIn, surviveKills } from '../harness/kill-storm.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { startReceiver } from '../servers/receiver.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { newWallet } from '../wallets/wallet.ts'

const kinds = ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary']
let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
/** The receiver answers after this. */
let mayAnswer = Promise.resolve()
let configurationIds: string[]

beforeAll(async () => {
  receiver = await startReceiver(() => mayAnswer.then(() => ({})))
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '5000' }, { queueIn: 'redis' })
  const { tenant } = service
  configurationIds = [await compactConfiguration(tenant), await webConfiguration(tenant)]
  expect(await tenant.operator.post('/v1/webhooks', { events: kinds, url: receiver.url })).toMatchObject({
    status: 201,
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const printErrorOutput = () => onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))

/** A wallet with a token and without credential requests. */
async function redeemed() {
  const offer = await newOffer(service.tenant, configurationIds)
  const wallet = await newWallet(service.tenant, service.origin, offer.uri)
  expect(await wallet.redeem()).toMatchObject({ status: 200 })
  return { offerId: offer.id, ask: () => wallet.requestCredential() }
}

const issuancesOf = (offerId: string) => service.db.read.select().from(issuances).where(eq(issuances.offerId, offerId))
const issuedOf = async (offerId: string) => (await issuancesOf(offerId)).filter(({ state }) => state === 'issued')
const receivedOf = (offerId: string) =>
  receiver.deliveries.filter(({ body }) => body.event.payload.credentialOfferId === offerId)

/** Both kinds of event are delivered, each under one id, however often it came. */
async function expectBothEvents(offerId: string): Promise<void> {
  const [credential] = await service.db.read.select().from(credentials).where(eq(credentials.offerId, offerId))
  const ofCredential = and(eq(deliveries.objectId, credential?.id ?? ''), eq(deliveries.state, 'delivered'))
  await eventually(async () => (await service.db.read.$count(deliveries, ofCredential)) === 2)
  const ids = receivedOf(offerId).map(({ body }) => `${body.event.type} ${body.event.id}`)
  expect(new Set(ids).size).toBe(2)
}

/** The web process writes this mark after its answer. If it is paused meanwhile, its transaction keeps its locks. */
async function untilTokenIsMarked(offerId: string): Promise<void> {
  const marked = and(eq(sessions.offerId, offerId), isNotNull(sessions.sentAt))
  await eventually(async () => (await service.db.read.$count(sessions, marked)) === 1)
}

async function untilSigningJobs(state: 'waiting' | 'active', count: number): Promise<void> {
  const queue = service.bus.queue('signing')
  await eventually(async () => (await queue.getJobCounts(state))[state] === count)
}

test('events of issuances without a running relay are delivered afterwards', async () => {
  printErrorOutput()
  await service.kill('worker')
  const { offerId, ask } = await redeemed()
  expect(await ask()).toMatchObject({ status: 200 })
  // And what a relay had taken that died before it was on the queue, nearly so long ago that another one may take it.
  const second = await redeemed()
  expect(await second.ask()).toMatchObject({ status: 200 })
  const at = systemClock.now()
  expect(await takeFromOutbox(service.db, 1, at)).toHaveLength(1)
  await service.db.tx(async (tx) => {
    await tx
      .update(outbox)
      .set({ takenUntil: plusMs(at, 3_000) })
      .where(gt(outbox.takenUntil, at))
  })
  expect([...receivedOf(offerId), ...receivedOf(second.offerId)]).toEqual([])
  await service.start('worker')
  await expectBothEvents(offerId)
  await expectBothEvents(second.offerId)
})

test('a worker that dies between a delivery and its record repeats the delivery with the same event id', async () => {
  printErrorOutput()
  const { promise, resolve: letAnswer } = Promise.withResolvers<void>()
  mayAnswer = promise
  const { offerId, ask } = await redeemed()
  expect(await ask()).toMatchObject({ status: 200 })
  await eventually(async () => receivedOf(offerId).length > 0)
  await service.kill('worker')
  const idsOf = () => receivedOf(offerId).map(({ body }) => body.event.id)
  const before = idsOf()
  letAnswer()
  mayAnswer = Promise.resolve()
  await service.start('worker')
  await expectBothEvents(offerId)
  for (const id of before) expect(idsOf().filter((each) => each === id)).toEqual([id, id])

  const sentAs = new Set(receivedOf(offerId).map(({ body }) => body.deliveryId))
  const rows = await service.db.read.select().from(deliveries).where(inArray(deliveries.eventId, before))
  expect(rows).toHaveLength(before.length)
  for (const { attempts } of rows) {
    expect(attempts).toMatchObject([{ error: expect.stringContaining('worker ended') }, { status: 200 }])
    for (const { id } of attempts) expect(sentAs).toContain(id)
  }
})

test('a web process that dies after the commit of a credential returns the same credential to the same wallet', async () => {
  printErrorOutput()
  // The request becomes a job after three seconds, and is cancelled at the deadline.
  await service.kill('web')
  await service.start('web', { CREDENTIAL_DEADLINE_MS: '60000' })
  const { offerId, ask } = await redeemed()
  await untilTokenIsMarked(offerId)
  service.pause('signing')
  const lost = ask().catch(() => 'lost')
  await untilSigningJobs('waiting', 1)
  service.pause('web')
  service.resume('signing')
  const [issued] = await eventually(async () => {
    const rows = await issuedOf(offerId)
    return rows.length > 0 && rows
  })
  await service.kill('web')
  expect(await lost).toBe('lost')
  await service.start('web')
  const answer = await persist(ask)
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body.credentials[0].credential).toEqual(credentialIn(service.secrets, issued!))
  expect(await issuedOf(offerId)).toHaveLength(1)
  await expectBothEvents(offerId)
})

// The test has the write lock while the job becomes active.
test('a signing process that dies during a commit is replaced, and nothing is issued twice', async () => {
  printErrorOutput()
  const { offerId, ask } = await redeemed()
  service.pause('signing')
  const answer = ask()
  await untilSigningJobs('waiting', 1)
  await whileLocked(offerId, async () => {
    service.resume('signing')
    await untilSigningJobs('active', 1)
    await sleep(100)
    await service.kill('signing')
  })
  await service.start('signing')
  const { status, headers } = await answer
  expect(status === 200 || (status === 503 && headers['retry-after'])).toBeTruthy()
  expect(await persist(ask)).toMatchObject({ status: status === 200 ? expect.any(Number) : 200 })
  expect(await issuedOf(offerId)).toHaveLength(1)
  await expectBothEvents(offerId)
})

/** Keeps others from claiming an offer: on SQLite, from changing anything. */
async function whileLocked(offerId: string, work: () => Promise<void>): Promise<void> {
  await service.db.tx(async (tx) => {
    await tx.update(offers).set({ id: offerId }).where(eq(offers.id, offerId))
    await work()
  })
}

test('an issuance that is not signed in time is cancelled, and the wallet can repeat the request', async () => {
  printErrorOutput()
  await service.kill('signing')
  const { offerId, ask } = await redeemed()
  expect(await ask()).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } })
  expect(await issuancesOf(offerId)).toMatchObject([{ state: 'abandoned', claims: null }])
  await service.start('signing')
  await untilSigningJobs('waiting', 0)
  await untilSigningJobs('active', 0)
  expect(await issuedOf(offerId)).toHaveLength(0)
  expect(await persist(ask)).toMatchObject({ status: 200 })
  expect(await issuedOf(offerId)).toHaveLength(1)
  await expectBothEvents(offerId)
})

test('whichever process is killed at any time: no offer is lost or used twice, and every issuance is delivered', {
  timeout: 600_000,
}, async () => {
  printErrorOutput()
  const groups: ProcessName[][] = [['web'], ['signing', 'worker']]
  await surviveKills({ service, receiver, configurationIds, kinds }, groups)
  const successes = eq(events.type, 'OPENID_CREDENTIAL_SUCCESS')
  await eventually(async () => (await service.db.read.$count(events, successes)) > 0)
})
