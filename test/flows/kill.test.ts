import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { takeFromOutbox } from '../../db/outbox.ts'
import type { IssuanceRow } from '../../db/repos/issuance/issuances.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { type IssuedCredential, issuances } from '../../db/tables/issuance/issuances.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { plusMs, systemClock } from '../../shared/clock.ts'
import { openCredentials } from '../../shared/jobs/answered-credentials.ts'
import { createLog } from '../../shared/log/log.ts'
import { recoverIssuances } from '../../workers/upkeep/recover-issuances.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { startReceiver } from '../servers/receiver.ts'
import { type Collected, collectPatiently, persist } from '../wallets/persistent-wallet.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'

/** Jobs that were lost with Redis are queued again after one minute, by a job that runs every 30 seconds. */
const maxRecoveryMs = 240_000

const kinds = ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary']
let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
/** The receiver answers after this. */
let mayAnswer = Promise.resolve()
let configurationIds: string[]

beforeAll(async () => {
  receiver = await startReceiver(() => mayAnswer.then(() => ({})))
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '5000' })
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
const credentialIn = ({ id, credentials }: IssuanceRow) =>
  openCredentials<IssuedCredential>(service.secrets, id, credentials ?? [])[0]?.credential
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
  expect(answer.body.credentials[0].credential).toEqual(credentialIn(issued!))
  expect(await issuedOf(offerId)).toHaveLength(1)
  await expectBothEvents(offerId)
})

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

/** So often each process is killed. */
const times = 3

test('whichever process is killed at any time: no offer is lost or used twice, and every issuance is delivered', {
  timeout: 600_000,
}, async () => {
  printErrorOutput()
  const random = seededRandom()
  let isOver = false
  const keys = await Promise.all(Array.from({ length: 6 }, () => newHolderKey()))
  const repeat = async <Result>(work: () => Promise<Result>): Promise<Result[]> => {
    const results: Result[] = []
    // Restarts are as fast as on a machine that is not busy.
    for (; !isOver; await sleep(50)) results.push(await work())
    return results
  }
  const killing = Promise.all([
    killAgainAndAgain(['web', 'redis'], random),
    killAgainAndAgain(['signing', 'worker'], random),
  ]).finally(() => {
    isOver = true
  })
  const [collected, operations, kills] = await Promise.all([
    Promise.all(keys.map((key) => repeat(() => collectPatiently(service, configurationIds, key)))),
    repeat(manage),
    killing,
  ])
  const all = collected.flat()
  console.info({ kills, offers: all.length, operations: operations.flat().length })
  await drain()

  expect(all.flatMap(({ unexpected }) => unexpected)).toEqual([])
  expect(operations.flat().filter(({ status }) => status >= 300)).toEqual([])
  expect(
    service
      .errorOutput()
      .split('\n')
      .filter((line) => /^web: .*"level":50|ended by [^S]/.test(line)),
  ).toEqual([])
  await expectRecordsOf(all)
  await expectOneEventEach()
  const successes = eq(events.type, 'OPENID_CREDENTIAL_SUCCESS')
  await eventually(async () => (await service.db.read.$count(events, successes)) > 0)
})

/** Made once and then changed: a tenant has a thousand at most. */
let courseId: string | undefined

/** An operator's day, which needs no signature. */
async function manage(): Promise<ApiResponse[]> {
  const { operator } = service.tenant
  const user = await persist(() => operator.post('/v1/users', { claims: { given_name: 'Ada' } }))
  const path = '/v2/credentials/web-semantic/configurations'
  const configuration = {
    name: 'Course',
    type: 'Course',
    issuer: { name: 'University' },
    claimMappings: { level: { defaultValue: 'B1' } },
  }
  const saved = await persist(() =>
    courseId ? operator.put(`${path}/${courseId}`, configuration) : operator.post(path, configuration),
  )
  courseId ??= saved.body.id
  return [
    user,
    saved,
    await persist(() => operator.get(`/v1/users/${user.body.id}`)),
    await persist(() => operator.get('/v1/users?limit=5')),
    await persist(() => operator.post('/v1/users/search', { claims: { given_name: 'Ada' }, limit: 5 })),
    await persist(() => operator.put(`/v1/users/${user.body.id}`, { claims: { given_name: 'Grace' } })),
    await persist(() => operator.get('/v2/credentials/compact/configurations?limit=5')),
  ]
}

/** By turns, at random moments. */
async function killAgainAndAgain(names: (ProcessName | 'redis')[], random: () => number) {
  const killed: string[] = []
  const first = Math.floor(random() * names.length)
  for (let turn = 0; turn < times * names.length; turn++) {
    const name = names[(first + turn) % names.length] ?? 'web'
    await sleep(200 + random() * 1_500)
    await service.kill(name)
    killed.push(name)
    await sleep(random() * 500)
    await service.start(name)
  }
  return killed.join(' ')
}

/** All accepted work is done, and requests without a waiting process are cancelled. */
async function drain(): Promise<void> {
  const { read } = service.db
  await eventually(async () => (await read.$count(outbox)) === 0, maxRecoveryMs)
  await eventually(async () => (await read.$count(deliveries, eq(deliveries.state, 'pending'))) === 0, maxRecoveryMs)
  const later = { now: () => plusMs(new Date(), 10 * 60_000) }
  const log = createLog({ process: 'test', level: 'silent', pretty: false })
  await recoverIssuances({ db: service.db, bus: service.bus, clock: later, log })
  expect(await read.$count(issuances, eq(issuances.state, 'requested'))).toBe(0)
}

/** Each offer has at most one issued credential per configuration, and each wallet has the recorded credential. */
async function expectRecordsOf(all: Collected[]): Promise<void> {
  const issued = await service.db.read.select().from(issuances).where(eq(issuances.state, 'issued'))
  const byOffer = Map.groupBy(issued, ({ offerId }) => offerId)
  for (const rows of byOffer.values()) {
    expect(new Set(rows.map(({ configurationId }) => configurationId)).size).toBe(rows.length)
  }
  for (const { offerId, held } of all) {
    const recorded = (byOffer.get(offerId) ?? []).map((row) => [row.configurationId, credentialIn(row)])
    expect([...held.keys()].sort()).toEqual([...configurationIds].sort())
    expect(recorded.toSorted()).toEqual([...held].toSorted())
  }
}

/** Each credential was delivered under one event id for each kind, and nothing else was. */
async function expectOneEventEach(): Promise<void> {
  const rows = await service.db.read.select({ id: credentials.id }).from(credentials)
  const wanted = rows.flatMap(({ id }) => kinds.map((kind) => `${id} ${kind}`))
  const eventIds = new Map<string, Set<string>>()
  for (const { body } of receiver.deliveries) {
    const name = `${body.event.payload.credentialId} ${body.event.type}`
    eventIds.set(name, (eventIds.get(name) ?? new Set()).add(body.event.id))
  }
  expect([...eventIds.keys()].sort()).toEqual(wanted.sort())
  const ids = [...eventIds.values()].flatMap((each) => [...each])
  expect(ids.length).toBe(wanted.length)
  expect(new Set(ids).size).toBe(wanted.length)
  // The result of a delivery is stored after its answer.
  const isDelivered = eq(deliveries.state, 'delivered')
  await expect.poll(async () => service.db.read.$count(deliveries, isDelivered)).toBe(wanted.length)
}
