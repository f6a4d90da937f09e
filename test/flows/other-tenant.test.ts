import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { startReceiver } from '../servers/receiver.ts'
import { attestClient, newAttester, possessionOf } from '../wallets/attestation.ts'
import { newAuthorizationWallet, redirectUri } from '../wallets/authorization-wallet.ts'
import { newDpopKey } from '../wallets/dpop.ts'
import { newWallet, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let other: TestTenant
let configurationId: string

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
  other = await service.addTenant({ publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

test('a wallet that one tenant registered is unknown to another', async () => {
  const attester = await newAttester()
  const key = await newDpopKey()
  const clientId = 'registered-wallet'
  const attestation = { required: true, dpopRequired: false, rootCertificates: [attester.rootPem] }
  const client = { name: 'Wallet', clientId, redirectUris: ['https://wallet.example/callback'], attestation }
  expect(await other.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })

  const redeem = async (tenant: TestTenant, id: string) => {
    const { uri } = await newOffer(tenant, [id])
    const code = (await readOffer(uri, tenant.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
    const form = { grant_type: preAuthorizedGrant, 'pre-authorized_code': code, client_id: clientId }
    return tenant.anonymous.post('/v1/oauth/token', new URLSearchParams(form))
  }
  // The registered wallet must be attested. At the other tenant it is an unregistered wallet, and its redirect URI is unknown.
  expect(await redeem(other, await compactConfiguration(other))).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  })
  expect(await redeem(service, configurationId)).toMatchObject({ status: 200 })
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: false })
  const headers = {
    'oauth-client-attestation': await attestClient(attester, { clientId, publicJwk: key.publicJwk }),
    'oauth-client-attestation-pop': await possessionOf(key, service.baseUrl),
  }
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const { search } = wallet.authorizeUrl({ client_id: clientId, redirect_uri: 'https://wallet.example/callback' })
  const asked = await service.anonymous.get(`/v1/oauth/authorize${search}`, headers)
  expect([asked.status, asked.headers.location]).toEqual([400, undefined])
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})

test('codes of one tenant are refused by another, and stay valid at their own', async () => {
  const { uri } = await newOffer(service, [configurationId])
  const offered = (await readOffer(uri, service.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': offered })
  const refused = { status: 400, body: { error: 'invalid_grant' } }
  expect(await other.anonymous.post('/v1/oauth/token', form)).toMatchObject(refused)
  expect(await service.anonymous.post('/v1/oauth/token', form)).toMatchObject({ status: 200 })

  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const code = (await wallet.authorize()).get('code') ?? ''
  const elsewhere = { ...newAuthorizationWallet(other, service.origin, configurationId) }
  const verifier = { code_verifier: wallet.verifier, redirect_uri: redirectUri }
  expect(await elsewhere.redeem(code, verifier)).toMatchObject(refused)
  expect(await wallet.redeem(code)).toMatchObject({ status: 200 })
})

test('a delivery of one tenant cannot be replayed by another, with any webhook id', async () => {
  await using receiver = await startReceiver()
  const webhookOf = async ({ operator }: TestTenant) =>
    (await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssuedSummary'], url: receiver.url })).body.id
  const [own, foreign] = [await webhookOf(service), await webhookOf(other)]
  const wallet = await newWallet(service, service.origin, (await newOffer(service, [configurationId])).uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  const path = `/v1/webhooks/${own}/deliveries`
  const delivery = await eventually(async () => {
    const { body } = await service.operator.get(path)
    return body.data.find(({ status }: { status: string }) => status === 'delivered')
  })
  for (const webhookId of [own, foreign]) {
    const answer = await other.operator.post(`/v1/webhooks/${webhookId}/deliveries/${delivery.id}/replay`)
    expect(answer).toMatchObject({ status: 404, body: { code: 'NotFound' } })
  }
  expect((await service.operator.get(path)).body.data).toEqual([delivery])
  expect(receiver.deliveries).toHaveLength(1)
  expect(await service.operator.post(`${path}/${delivery.id}/replay`)).toMatchObject({ status: 202 })
})
