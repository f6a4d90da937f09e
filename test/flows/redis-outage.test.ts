// @module-tag redis

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, ne } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import { outbox } from '../../db/tables/outbox.ts'
import type { Api, ApiResponse } from '../harness/api-client.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startReceiver } from '../servers/receiver.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { newWallet, type Wallet } from '../wallets/wallet.ts'

/** Longer than a command waits for Redis, so that the outage outlasts all that began before it. */
const minOutageMs = 6_000
const runs = 3
/** How long a command waits for a Redis that does not answer. */
const redisWaitMs = 5_000
/** A delivery whose job was lost with Redis is queued again after 75 seconds, by a job that runs every five seconds. */
const maxRecoveryMs = 240_000

let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
let configurationId: string
beforeAll(async () => {
  receiver = await startReceiver()
  // The path of a socket would be too long, so that signing is as on another machine.
  service = await startProcesses({ DATA_DIR: join(tmpdir(), 'far'.repeat(30)) }, { queueIn: 'redis' })
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
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const before = await Promise.all(Array.from({ length: 5 }, () => redeemed()))
  expect((await Promise.all(before.map(({ wallet }) => wallet.requestCredential()))).map(statusOf)).toEqual(
    before.map(() => 200),
  )
  await service.kill('redis')
  const outage = sleep(minOutageMs)

  const collections: { id: string; wallet: Wallet }[] = []
  const times = new Map<string, number[]>()
  for (let run = 0; run < runs; run++) {
    const offer = await manage(times)
    const wallet = await newWallet(service.tenant, service.origin, offer.uri)
    expect(await timed(times, 'redeem', () => wallet.redeem())).toMatchObject({ status: 200 })
    const retryAfter = expect.stringMatching(/^\d+$/)
    const collected = await timed(times, 'collect', () => wallet.requestCredential())
    expect(collected).toMatchObject({ status: 503, headers: { 'retry-after': retryAfter } })
    collections.push({ id: offer.id, wallet })
  }
  // A wait for Redis is in each run of its step. A slow machine would have to delay one step by five seconds in all runs.
  for (const [step, ms] of times) expect(Math.min(...ms), step).toBeLessThan(redisWaitMs)
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

async function timed<Result>(times: Map<string, number[]>, step: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await work()
  times.set(step, [...(times.get(step) ?? []), performance.now() - startedAt])
  return result
}

/** Creates, reads, lists, searches, changes and deletes users and configurations. Returns a new offer. */
async function manage(times: Map<string, number[]>): Promise<{ id: string; uri: string }> {
  const send = (...[method, path, body]: Parameters<Api['send']>) =>
    timed(times, `${method} ${path.replace(/[0-9a-f-]{36}$/, ':id')}`, () =>
      service.tenant.operator.send(method, path, body),
    )
  const path = '/v2/credentials/web-semantic/configurations'
  const content = {
    name: 'Course',
    type: 'Course',
    issuer: { name: 'University' },
    claimMappings: { level: { defaultValue: 'B1' } },
  }
  const user = await send('POST', '/v1/users', { claims: { given_name: 'Ada' } })
  const configuration = await send('POST', path, content)
  const request = { credentials: [configurationId], claims: { given_name: 'Ada' } }
  const offer = await send('POST', '/v1/openid/offers/pre-authorized', request)
  const own = `${path}/${configuration.body.id}`
  const rest = [
    await send('GET', `/v1/users/${user.body.id}`),
    await send('GET', '/v1/users'),
    await send('POST', '/v1/users/search', { claims: { given_name: 'Ada' } }),
    await send('GET', own),
    await send('GET', path),
    await send('PUT', own, { ...content, name: 'Another course' }),
    await send('DELETE', own),
    await send('DELETE', `/v1/users/${user.body.id}`),
  ]
  expect([user, configuration, offer, ...rest].map(statusOf)).toEqual([
    ...[201, 201, 200],
    ...[200, 200, 200, 200, 200, 200, 204, 204],
  ])
  return offer.body
}
