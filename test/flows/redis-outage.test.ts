import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gt, ne } from 'drizzle-orm'
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

/** At least. */
const outageMs = 6_000
/** Whoever waits for Redis waits for five seconds, or until it is back. */
const quicklyMs = 4_000

let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
let configurationId: string
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startProcesses()
  configurationId = await webConfiguration(service.tenant)
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await service.tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
}, 120_000)
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

test('Redis is gone for seconds: management goes on, nothing that was promised is lost', {
  timeout: 120_000,
}, async () => {
  onTestFailed(() => console.error(service.troubles().slice(-20_000)))
  const before = await Promise.all(Array.from({ length: 5 }, () => redeemed()))
  expect((await Promise.all(before.map(({ wallet }) => wallet.requestCredential()))).map(statusOf)).toEqual(
    before.map(() => 200),
  )
  await service.kill('redis')
  const gone = sleep(outageMs)

  const offer = await expectManagementGoesOn()
  const wallet = await newWallet(service.tenant, service.origin, offer.uri)
  expect(await timed(() => wallet.redeem())).toMatchObject({ status: 200 })
  expect(await timed(() => wallet.requestCredential())).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  })
  await expectManagementGoesOn()
  await gone
  await service.start('redis')
  await letRelayTakeAgain()

  expect(await persist(() => wallet.requestCredential())).toMatchObject({ status: 200 })
  expect(await issuedOf(offer.id)).toBe(1)
  const all = [...before.map((each) => each.offer.id), offer.id]
  await eventually(async () => all.every((id) => toldOf(id) > 0))
  expect(new Set(receiver.deliveries.map(({ body }) => body.event.id)).size).toBe(all.length)

  const { read } = service.db
  await eventually(async () => (await read.$count(deliveries, eq(deliveries.state, 'delivered'))) === all.length)
  // That of the erasure looks once more after two minutes for what may still come.
  await eventually(async () => (await read.$count(outbox, ne(outbox.job, 'finishErasure'))) === 0)
  // Operations of the outage: their events waited in the API.
  for (const type of ['USER_CREATE_SUCCESS', 'OPENID_PRE_AUTHORIZED_OFFER_CREATE_SUCCESS', 'OPENID_CREDENTIAL_FAIL'])
    await eventually(async () => (await read.$count(events, eq(events.type, type))) > 0)
})

/** What the relay had taken when Redis went is free again, as it is after twenty seconds. */
async function letRelayTakeAgain(): Promise<void> {
  const at = new Date()
  await service.db.tx(async (tx) => {
    await tx
      .update(outbox)
      .set({ takenUntil: at })
      .where(and(gt(outbox.takenUntil, at), ne(outbox.job, 'finishErasure')))
  })
}

async function redeemed(): Promise<{ offer: { id: string }; wallet: Wallet }> {
  const offer = await newOffer(service.tenant, [configurationId])
  const wallet = await newWallet(service.tenant, service.origin, offer.uri)
  expect(await wallet.redeem()).toMatchObject({ status: 200 })
  return { offer, wallet }
}

const statusOf = ({ status }: ApiResponse) => status
const toldOf = (offerId: string) =>
  receiver.deliveries.filter(({ body }) => body.event.payload.credentialOfferId === offerId).length
const issuedOf = (offerId: string) =>
  service.db.read.$count(issuances, and(eq(issuances.offerId, offerId), eq(issuances.state, 'issued')))

async function timed(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const startedAt = performance.now()
  const answer = await call()
  expect(performance.now() - startedAt).toBeLessThan(quicklyMs)
  return answer
}

/** Users, configurations and offers are made, read, listed, searched, changed and removed, each of it quickly. */
async function expectManagementGoesOn(): Promise<{ id: string; uri: string }> {
  const { operator } = service.tenant
  const path = '/v2/credentials/web-semantic/configurations'
  const content = {
    name: 'Course',
    type: 'Course',
    issuer: { name: 'University' },
    claimMappings: { level: { defaultValue: 'B1' } },
  }
  const user = await timed(() => operator.post('/v1/users', { claims: { given_name: 'Ada' } }))
  const configuration = await timed(() => operator.post(path, content))
  const request = { credentials: [configurationId], claims: { given_name: 'Ada' } }
  const offer = await timed(() => operator.post('/v1/openid/offers/pre-authorized', request))
  const own = `${path}/${configuration.body.id}`
  const rest = [
    await timed(() => operator.get(`/v1/users/${user.body.id}`)),
    await timed(() => operator.get('/v1/users')),
    await timed(() => operator.post('/v1/users/search', { claims: { given_name: 'Ada' } })),
    await timed(() => operator.get(own)),
    await timed(() => operator.get(path)),
    await timed(() => operator.put(own, { ...content, name: 'Another course' })),
    await timed(() => operator.delete(own)),
    await timed(() => operator.delete(`/v1/users/${user.body.id}`)),
  ]
  expect([user, configuration, offer, ...rest].map(statusOf)).toEqual([
    ...[201, 201, 200],
    ...[200, 200, 200, 200, 200, 200, 204, 204],
  ])
  return offer.body
}
