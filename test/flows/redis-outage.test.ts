import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, ne } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import { outbox } from '../../db/tables/outbox.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startReceiver } from '../servers/receiver.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { newWallet, type Wallet } from '../wallets/wallet.ts'

const minOutageMs = 6_000
const runs = 3
/** A request that waits for Redis waits for five seconds, which is far more than this many times the usual duration. */
const maxSlowdown = 20
/** A delivery whose job was lost with Redis is queued again after 75 seconds, by a job that runs every five seconds. */
const maxRecoveryMs = 240_000

let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
let configurationId: string
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startProcesses()
  configurationId = await webConfiguration(service.tenant)
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await service.tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

test('management does not wait for Redis during an outage, and no accepted work is lost', {
  timeout: 600_000,
}, async () => {
  onTestFailed(() => console.error(service.troubles().slice(-20_000)))
  const before = await Promise.all(Array.from({ length: 5 }, () => redeemed()))
  expect((await Promise.all(before.map(({ wallet }) => wallet.requestCredential()))).map(statusOf)).toEqual(
    before.map(() => 200),
  )
  const usual: number[] = []
  for (let run = 0; run < runs; run++) usual.push((await timed(manage)).ms)
  await service.kill('redis')
  const outage = sleep(minOutageMs)

  const collections: { id: string; wallet: Wallet }[] = []
  const times: Record<string, number[]> = { manage: [], redeem: [], collect: [] }
  for (let run = 0; run < runs; run++) {
    const { result: offer, ms } = await timed(manage)
    const wallet = await newWallet(service.tenant, service.origin, offer.uri)
    const redeemed = await timed(() => wallet.redeem())
    expect(redeemed.result).toMatchObject({ status: 200 })
    const collected = await timed(() => wallet.requestCredential())
    const retryAfter = expect.stringMatching(/^\d+$/)
    expect(collected.result).toMatchObject({ status: 503, headers: { 'retry-after': retryAfter } })
    collections.push({ id: offer.id, wallet })
    times.manage?.push(ms)
    times.redeem?.push(redeemed.ms)
    times.collect?.push(collected.ms)
  }
  // The machine can delay some of the runs. A wait for Redis would delay all of them.
  for (const [step, ms] of Object.entries(times))
    expect(Math.min(...ms), step).toBeLessThan(maxSlowdown * Math.max(...usual))
  await outage
  await service.start('redis')

  for (const { id, wallet } of collections) {
    expect(await persist(() => wallet.requestCredential())).toMatchObject({ status: 200 })
    expect(await issuedOf(id)).toBe(1)
  }
  const all = [...before.map((each) => each.offer.id), ...collections.map(({ id }) => id)]
  await eventually(async () => all.every((id) => deliveriesOf(id) > 0), maxRecoveryMs)
  expect(new Set(receiver.deliveries.map(({ body }) => body.event.id)).size).toBe(all.length)

  const { read } = service.db
  await eventually(async () => (await read.$count(deliveries, eq(deliveries.state, 'delivered'))) === all.length)
  // The job of the erasure looks for late data once more after two minutes.
  await eventually(async () => (await read.$count(outbox, ne(outbox.job, 'finishErasure'))) === 0)
  // The API kept the events of the outage.
  for (const type of ['USER_CREATE_SUCCESS', 'OPENID_PRE_AUTHORIZED_OFFER_CREATE_SUCCESS', 'OPENID_CREDENTIAL_FAIL'])
    await eventually(async () => (await read.$count(events, eq(events.type, type))) > 0)
})

async function redeemed(): Promise<{ offer: { id: string }; wallet: Wallet }> {
  const offer = await newOffer(service.tenant, [configurationId])
  const wallet = await newWallet(service.tenant, service.origin, offer.uri)
  expect(await wallet.redeem()).toMatchObject({ status: 200 })
  return { offer, wallet }
}

const statusOf = ({ status }: ApiResponse) => status
const deliveriesOf = (offerId: string) =>
  receiver.deliveries.filter(({ body }) => body.event.payload.credentialOfferId === offerId).length
const issuedOf = (offerId: string) =>
  service.db.read.$count(issuances, and(eq(issuances.offerId, offerId), eq(issuances.state, 'issued')))

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedAt }
}

/** Creates, reads, lists, searches, changes and deletes users and configurations. Returns a new offer. */
async function manage(): Promise<{ id: string; uri: string }> {
  const { operator } = service.tenant
  const path = '/v2/credentials/web-semantic/configurations'
  const content = {
    name: 'Course',
    type: 'Course',
    issuer: { name: 'University' },
    claimMappings: { level: { defaultValue: 'B1' } },
  }
  const user = await operator.post('/v1/users', { claims: { given_name: 'Ada' } })
  const configuration = await operator.post(path, content)
  const request = { credentials: [configurationId], claims: { given_name: 'Ada' } }
  const offer = await operator.post('/v1/openid/offers/pre-authorized', request)
  const own = `${path}/${configuration.body.id}`
  const rest = [
    await operator.get(`/v1/users/${user.body.id}`),
    await operator.get('/v1/users'),
    await operator.post('/v1/users/search', { claims: { given_name: 'Ada' } }),
    await operator.get(own),
    await operator.get(path),
    await operator.put(own, { ...content, name: 'Another course' }),
    await operator.delete(own),
    await operator.delete(`/v1/users/${user.body.id}`),
  ]
  expect([user, configuration, offer, ...rest].map(statusOf)).toEqual([
    ...[201, 201, 200],
    ...[200, 200, 200, 200, 200, 200, 204, 204],
  ])
  return offer.body
}
