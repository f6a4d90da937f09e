import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi } from '../../../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../../harness/harness.ts'
import { startProvider, type TestProvider } from '../../../servers/provider.ts'
import { newAuthorizationWallet, registerWallet } from '../../../wallets/authorization-wallet.ts'
import { newWallet } from '../../../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string
let other: TestTenant
const host = 'wallets.university.example'
const content = () => ({ name: 'Own host', profile: 'standard', configurations: { ids: [configurationId] } })
const at = (requestedHost: string): Api => createApi(service.origin, requestedHost)
const aliasesOf = (tenant: TestTenant, aliases: string[]) =>
  service.platform.put(`/v1/tenants/${tenant.id}`, { aliases })

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  await registerWallet(service)
  configurationId = await compactConfiguration(service)
  await webConfiguration(service)
  other = await service.addTenant({ aliases: ['other.example'] })
  const own = new URL(service.origin).host
  expect(await aliasesOf(service, [own, host, 'second.example', 'third.example'])).toMatchObject({ status: 200 })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

describe('a view with a host of its own', () => {
  let view: { id: string; issuer: string }
  beforeAll(async () => {
    const { status, body } = await service.operator.post('/v1/views', { ...content(), path: 'own', host })
    expect([status, body.host, body.issuer]).toEqual([201, host, `http://${host}`])
    view = body
  })

  test('has its documents and endpoints there', async () => {
    const { body } = await at(host).get('/.well-known/openid-credential-issuer')
    expect(Object.keys(body.credential_configurations_supported)).toEqual([configurationId])
    expect([body.credential_issuer, body.nonce_endpoint]).toEqual([view.issuer, `${view.issuer}/v1/openid/nonce`])
    const server = (await at(host).get('/.well-known/oauth-authorization-server')).body
    expect(server).toMatchObject({ issuer: view.issuer, token_endpoint: `${view.issuer}/v1/oauth/token` })
    // The sign-in provider knows the host of the tenant, and the browser has its cookies there.
    expect(server.authorization_endpoint).toBe(`${service.baseUrl}/views/own/v1/oauth/authorize`)
    const resource = await at(host).get('/.well-known/oauth-protected-resource/v1/openid/credential')
    expect(resource.body.resource).toBe(`${view.issuer}/v1/openid/credential`)
  })

  test('issues in both flows, to proofs for its host alone', async () => {
    const { uri } = await newOffer(service, [configurationId], { view: view.id })
    expect(JSON.parse(new URL(uri).searchParams.get('credential_offer')!).credential_issuer).toBe(view.issuer)
    const wallet = await newWallet({ host, baseUrl: view.issuer }, service.origin, uri)
    expect(await wallet.collect()).toMatchObject({ status: 200 })
    const browser = newAuthorizationWallet(service, `${service.origin}/views/own`, configurationId)
    expect((await browser.authorize()).get('iss')).toBe(view.issuer)
    const again = await newOffer(service, [configurationId], { view: view.id })
    const wrong = await newWallet({ host, baseUrl: service.baseUrl }, service.origin, again.uri)
    expect((await wrong.collect()).status).toBe(400)
  })

  test.each(['/v1/views', '/.well-known/did.json', '/console/', '/views/own/.well-known/openid-credential-issuer'])(
    'does not serve %s there',
    async (path) => {
      const answers = await Promise.all([at(host).get(path), at(service.host).get(path)])
      expect([path, answers[0].status]).toEqual([path, 404])
      expect([path, answers[1].status]).not.toEqual([path, 404])
    },
  )

  test('keeps its host: the platform cannot remove the alias, and no other view gets it', async () => {
    const refused = await aliasesOf(service, [new URL(service.origin).host, 'second.example', 'third.example'])
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'aliases' }] } })
    expect((await at(host).get('/.well-known/openid-credential-issuer')).body.credential_issuer).toBe(view.issuer)
    const again = await service.operator.post('/v1/views', { ...content(), path: 'again', host: host.toUpperCase() })
    expect(again).toMatchObject({ status: 409 })
    const changed = await service.operator.put(`/v1/views/${view.id}`, { ...content(), host: 'second.example' })
    expect([changed.status, changed.body.host]).toEqual([200, host])
  })
})

test.each(['other.example', 'unknown.example', 'own host', 'subdomain', 'platform'])(
  'a view cannot get %s, which is no alias of the tenant',
  async (named) => {
    const hosts: Record<string, string> = {
      'own host': service.host,
      subdomain: new URL(other.baseUrl).host,
      platform: service.deps.config.platformHost,
    }
    const refused = await service.operator.post('/v1/views', { ...content(), path: 'no', host: hosts[named] ?? named })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'host' }] } })
  },
)

test('after the deletion, wallets learn at the host that the view is gone, and people and programs use it as an alias again', async () => {
  const made = await service.operator.post('/v1/views', { ...content(), path: 'second', host: 'second.example' })
  const metadata = '/.well-known/openid-credential-issuer'
  expect((await at('second.example').get(metadata)).status).toBe(200)
  expect(await service.operator.delete(`/v1/views/${made.body.id}`)).toMatchObject({ status: 204 })
  expect(await at('second.example').get(metadata)).toMatchObject({ status: 410 })
  expect((await at('second.example').get('/.well-known/did.json')).status).toBe(200)
  expect(await aliasesOf(service, [new URL(service.origin).host, host, 'second.example'])).toMatchObject({
    status: 200,
  })
  const next = await service.operator.post('/v1/views', { ...content(), path: 'next', host: 'second.example' })
  expect((await at('second.example').get(metadata)).body.credential_issuer).toBe(next.body.issuer)
})
