// @module-tag redis

import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'
import { startReceiver } from '../servers/receiver.ts'
import { type SlowProxy, startSlowProxy } from '../servers/slow-proxy.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { newWallet } from '../wallets/wallet.ts'

let [first, second]: (TestRedis | undefined)[] = []
let proxy: SlowProxy
let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
let configurationId: string
beforeAll(async () => {
  ;[first, second] = await Promise.all([startRedis(), startRedis()])
  proxy = await startSlowProxy(first.url)
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
  await Promise.all([first?.stop(), second?.stop()])
})

test('all processes leave a Redis that became a replica, and continue at the new master behind the same address', {
  timeout: 600_000,
}, async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  await collect()
  await failOver()
  const offerId = await collect()
  const received = () => receiver.deliveries.filter(({ body }) => body.event.payload.credentialOfferId === offerId)
  await eventually(async () => received().length > 0)
  expect(new Set(received().map(({ body }) => body.event.id)).size).toBe(1)
  await eventually(async () => (await service.tenant.anonymous.get('/health/ready')).status === 200)
})

/** The old master does not close its connections. */
async function failOver(): Promise<void> {
  const [old, next] = [new Redis(first?.url ?? ''), new Redis(second?.url ?? '')]
  const [oldPort, nextPort] = [new URL(first?.url ?? '').port, new URL(second?.url ?? '').port]
  await next.replicaof('127.0.0.1', oldPort)
  while (!(await next.info('replication')).includes('master_link_status:up')) await sleep(20)
  await next.replicaof('NO', 'ONE')
  proxy.serverUrl = second?.url ?? ''
  await old.replicaof('127.0.0.1', nextPort)
  old.disconnect()
  next.disconnect()
}

/** Returns the id of an offer whose credential a wallet holds. */
async function collect(): Promise<string> {
  const offer = await newOffer(service.tenant, [configurationId])
  const wallet = await newWallet(service.tenant, service.origin, offer.uri)
  expect(await persist(() => wallet.redeem())).toMatchObject({ status: 200 })
  expect(await persist(() => wallet.requestCredential())).toMatchObject({ status: 200 })
  return offer.id
}
