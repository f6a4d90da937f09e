import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApi } from '../../../harness/api-client.ts'
import { compactConfiguration, newOffer, sdJwtConfiguration } from '../../../harness/factories.ts'
import { type Service, startService, tokenOf } from '../../../harness/harness.ts'
import { startProvider, type TestProvider } from '../../../servers/provider.ts'
import { clientId, newAuthorizationWallet, redirectUri } from '../../../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../../../wallets/dpop.ts'
import { newWallet } from '../../../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string
beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

let view: { id: string; issuer: string }
let path: string
let count = 0
beforeEach(async () => {
  path = `end${count++}`
  const content = { name: path, path, profile: 'standard', configurations: { ids: [configurationId] } }
  view = (await service.operator.post('/v1/views', content)).body
})

const deleteView = () => service.operator.delete(`/v1/views/${view.id}`)
const refusedFor = (uses: string) => ({ status: 409, body: { message: expect.stringContaining(uses) } })

/** Collects the right to renew credentials with a registered wallet. Returns the id of its registration and its token. */
async function authorizeWallet() {
  const client = { name: 'Wallet', clientId: `${clientId}-${path}`, redirectUris: [redirectUri] }
  const registration = (await service.operator.post('/v1/openid/clients', client)).body.id as string
  const wallet = newAuthorizationWallet(service, `${service.origin}/views/${path}`, configurationId)
  const code = (await wallet.authorize({ client_id: client.clientId })).get('code') ?? ''
  const key = await newDpopKey()
  const proofFor = (endpoint: string) => dpopProof({ key, url: `${view.issuer}/v1/oauth/${endpoint}` })
  const { status, body } = await wallet.redeem(code, { client_id: client.clientId }, { dpop: await proofFor('token') })
  expect(status).toBe(200)
  return { registration, clientId: client.clientId, token: body, proofFor }
}

describe('a view can be deleted after', () => {
  test('the registration of its wallet was deleted', async () => {
    const { registration } = await authorizeWallet()
    expect(await deleteView()).toMatchObject(refusedFor('1 authorizations, 1 sessions'))
    expect(await service.operator.delete(`/v1/openid/clients/${registration}`)).toMatchObject({ status: 204 })
    expect(await deleteView()).toMatchObject({ status: 204 })
  })

  test('its wallet revoked the token', async () => {
    const { token, clientId, proofFor } = await authorizeWallet()
    const form = new URLSearchParams({ token: token.refresh_token, client_id: clientId })
    const api = createApi(`${service.origin}/views/${path}`, service.host)
    expect(await api.post('/v1/oauth/revoke', form, { dpop: await proofFor('revoke') })).toMatchObject({ status: 200 })
    expect(await deleteView()).toMatchObject({ status: 204 })
  })

  test('its user was deleted, and its offer', async () => {
    const offer = await newOffer(service, [configurationId], { view: view.id })
    const wallet = await newWallet({ host: service.host, baseUrl: view.issuer }, service.origin, offer.uri)
    expect(await wallet.collect()).toMatchObject({ status: 200 })
    expect(await service.operator.delete(`/v1/openid/offers/${offer.id}`)).toMatchObject({ status: 204 })
    expect(await deleteView()).toMatchObject(refusedFor('0 authorizations, 1 sessions'))
    expect(await service.operator.delete(`/v1/users/${offer.userId}`)).toMatchObject({ status: 204 })
    expect(await deleteView()).toMatchObject({ status: 204 })
  })
})

test('a tenant with a view of the profile haip cannot use legacy status lists', async () => {
  const tenant = await service.addTenant()
  const other = await service.addTenant()
  const content = { name: 'Secure', configurations: { ids: [await sdJwtConfiguration(tenant)] } }
  const { id } = (await tenant.operator.post('/v1/views', { ...content, path: 'haip', profile: 'haip' })).body
  const settings = `/v1/tenants/${tenant.id}`
  const refused = await service.platform.put(settings, { statusListFormat: 'legacy' })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'statusListFormat' }] } })
  expect(refused.body.details[0].msg).toContain('Secure')
  expect((await service.platform.get(settings)).body.statusListFormat).toBe('draft14')
  const legacy = { status: 200, body: { statusListFormat: 'legacy' } }
  expect(await service.platform.put(`/v1/tenants/${other.id}`, { statusListFormat: 'legacy' })).toMatchObject(legacy)
  expect(await tenant.operator.put(`/v1/views/${id}`, { ...content, profile: 'standard' })).toMatchObject({
    status: 200,
  })
  expect(await service.platform.put(settings, { statusListFormat: 'legacy' })).toMatchObject(legacy)
  const again = await tenant.operator.put(`/v1/views/${id}`, { ...content, profile: 'haip' })
  expect(again).toMatchObject({ status: 400, body: { details: [{ param: 'profile' }] } })
})

test('a view cannot be deleted while a wallet can renew its credential', async () => {
  const { token } = await authorizeWallet()
  expect(token.refresh_token).toEqual(expect.any(String))
  // The last test of the file, because tokens of operators end too.
  service.clock.advance(2 * 86_400_000)
  const { origin, host } = service
  const operator = createApi(origin, host, await tokenOf(origin, host, service.clientId, service.clientSecret))
  expect(await operator.delete(`/v1/views/${view.id}`)).toMatchObject(refusedFor('1 authorizations, 0 sessions'))
})
