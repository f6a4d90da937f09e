// @module-tag redis

import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'
import { startReceiver } from '../servers/receiver.ts'
import { type SlowProxy, startSlowProxy } from '../servers/slow-proxy.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { newWallet } from '../wallets/wallet.ts'

let redis: TestRedis
let proxy: SlowProxy
let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
let configurationId: string
beforeAll(async () => {
  redis = await startRedis()
  proxy = await startSlowProxy(redis.url)
  receiver = await startReceiver()
  service = await startProcesses({ REDIS_URL: proxy.url, CREDENTIAL_DEADLINE_MS: '5000' })
  configurationId = await webConfiguration(service.tenant)
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await service.tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  await redis?.stop()
})

test('all processes open their connections to Redis again that the network lost without a message', {
  timeout: 600_000,
}, async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  await collect()
  proxy.loseConnections()
  const offerId = await collect()
  const received = () => receiver.deliveries.filter(({ body }) => body.event.payload.credentialOfferId === offerId)
  await eventually(async () => received().length > 0)
  expect(new Set(received().map(({ body }) => body.event.id)).size).toBe(1)
})

/** Returns the id of an offer whose credential a wallet holds. */
async function collect(): Promise<string> {
  const offer = await newOffer(service.tenant, [configurationId])
  const wallet = await newWallet(service.tenant, service.origin, offer.uri)
  expect(await wallet.redeem()).toMatchObject({ status: 200 })
  expect(await persist(() => wallet.requestCredential())).toMatchObject({ status: 200 })
  return offer.id
}
