import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { clientId, newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { makeProof, newHolderKey } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string
const key = await newDpopKey()

beforeAll(async () => {
  service = await startService()
  await service.platform.put(`/v1/tenants/${service.id}`, { deferredIssuance: 'whenSlow' })
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  await registerWallet(service)
})
afterEach(() => service.workers.start())
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

interface Tokens {
  access_token: string
  refresh_token: string
}

const proofFor = (path: string, accessToken?: string) =>
  dpopProof({ key, url: service.baseUrl + path, ...(accessToken !== undefined && { accessToken }) })

async function granted(): Promise<Tokens> {
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const code = (await wallet.authorize()).get('code') ?? ''
  return (await wallet.redeem(code, {}, { dpop: await proofFor('/v1/oauth/token') })).body
}

async function refreshed({ refresh_token }: Tokens): Promise<Tokens> {
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token })
  const headers = { dpop: await proofFor('/v1/oauth/token') }
  const { status, body } = await service.anonymous.post('/v1/oauth/token', form, headers)
  expect(status).toBe(200)
  return body
}

async function post(path: string, { access_token }: Tokens, body: unknown) {
  const headers = { authorization: `DPoP ${access_token}`, dpop: await proofFor(path, access_token) }
  return service.anonymous.post(path, body, headers)
}

async function request(tokens: Tokens) {
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const proof = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const body = { credential_configuration_id: configurationId, proofs: { jwt: [proof] } }
  return post('/v1/openid/credential', tokens, body)
}

test('a wallet collects a deferred credential with a refreshed token, once', async () => {
  const [first, other] = [await granted(), await granted()]
  await service.workers.stop()
  const deferred = await service.withSigningWait(100, () => request(first))
  const { transaction_id } = deferred.body
  expect(deferred).toMatchObject({ status: 202, body: { transaction_id: expect.any(String) } })

  const second = await refreshed(first)
  const ask = (tokens: Tokens) => post('/v1/openid/deferred-credential', tokens, { transaction_id })
  expect(await ask(second)).toMatchObject({ status: 202, body: { transaction_id } })
  await service.workers.start()
  const refused = { status: 400, body: { error: 'invalid_transaction_id' } }
  expect(await ask(other)).toMatchObject(refused)
  const collected = await eventually(async () => {
    const answer = await ask(second)
    return answer.status !== 202 && answer
  })
  expect(collected).toMatchObject({ status: 200, body: { credentials: [{ credential: expect.any(String) }] } })
  await eventually(async () => (await ask(second)).status === 400)
  expect(await ask(first)).toMatchObject(refused)
  expect(await ask(second)).toMatchObject(refused)
})

test('a wallet notifies the issuer with a refreshed token', async () => {
  const [first, other] = [await granted(), await granted()]
  const { status, body } = await request(first)
  expect(status).toBe(200)
  const notification = { notification_id: body.notification_id, event: 'credential_accepted' }
  const notify = (tokens: Tokens) => post('/v1/openid/notification', tokens, notification)
  expect(await notify(await refreshed(first))).toMatchObject({ status: 204 })
  expect(await notify(first)).toMatchObject({ status: 204 })
  const refused = { status: 400, body: { error: 'invalid_notification_id' } }
  expect(await notify(other)).toMatchObject(refused)
  expect(await notify(await refreshed(other))).toMatchObject(refused)
})
