import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, redirectUri, registerWallet } from '../wallets/authorization-wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string
/** Of a tenant that has no provider. */
let alone: TestTenant

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service, { forwardedRequestParameters: ['prompt'] })
  configurationId = await compactConfiguration(service)
  alone = await service.addTenant({ publicClients: true })
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

type Changes = Record<string, string | undefined>

const newWallet = () => newAuthorizationWallet(service, service.origin, configurationId)

/** Where the first answer leads to, byte for byte, or the page that it is. */
async function startOf(changes: Changes, tenant: TestTenant = service) {
  const { pathname, search } = newWallet().authorizeUrl(changes)
  const { status, headers, body } = await tenant.anonymous.get(pathname + search)
  return { status, location: headers.location?.toString(), page: String(body ?? '') }
}

describe('if unregistered wallets are allowed, a redirect URI is refused that', () => {
  test.each([
    ['is plain http', 'http://example.org/callback'],
    ['is a script', 'javascript:alert(1)'],
    ['has a fragment', 'https://example.org/callback#here'],
    ['has a user', 'https://bank.example@evil.example/'],
    ['has a scheme without a dot', 'wallet://callback'],
    ['is of a scheme that other apps take', 'openid-credential-offer://callback'],
    ['is of a scheme of the system', 'intent://callback'],
  ])('%s', async (_what, redirect_uri) => {
    const { status, location, page } = await startOf({ redirect_uri })
    expect({ status, location }).toEqual({ status: 400, location: undefined })
    expect(page).toContain('<h1>Your wallet sent a request that is not possible</h1>')
  })

  test.each(['com.example.wallet:/callback', 'https://wallet.example/callback', 'http://localhost:1/callback'])(
    'but not %s',
    async (redirect_uri) => {
      expect((await startOf({ redirect_uri })).location).toContain(provider.url)
    },
  )

  test('a registered wallet can have a scheme without a dot', async () => {
    const client = { name: 'App', clientId: 'app', redirectUris: ['wallet://callback'] }
    expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
    const { location } = await startOf({ client_id: 'app', redirect_uri: 'wallet://callback' })
    expect(location).toContain(provider.url)
  })
})

test('an unregistered client gets a page if the tenant does not allow unregistered wallets', async () => {
  expect(await startOf({}, await service.addTenant())).toMatchObject({ status: 400, location: undefined })
})

describe('before a person has acted, an unregistered wallet gets no redirect for', () => {
  test.each<[string, Changes]>([
    ['a request that is wrong', { response_type: 'token' }],
    ['a request without PKCE', { code_challenge: undefined }],
    ['a request for nothing', { authorization_details: undefined }],
  ])('%s', async (_what, changes) => {
    expect(await startOf(changes)).toMatchObject({ status: 400, location: undefined })
  })

  test('a missing provider', async () => {
    const id = await compactConfiguration(alone)
    const details = [{ type: 'openid_credential', credential_configuration_id: id }]
    const { status, location, page } = await startOf({ authorization_details: JSON.stringify(details) }, alone)
    expect({ status, location }).toEqual({ status: 400, location: undefined })
    expect(page).toContain('No identity provider is configured')
  })

  test('a provider that must not prompt the person', async () => {
    const wallet = newWallet()
    const { url, status, html } = await wallet.browser.signIn(wallet.authorizeUrl({ prompt: 'none' }))
    expect({ status, path: url.pathname }).toEqual({ status: 400, path: '/v1/oauth/authentication/callback' })
    expect(html).toContain('The identity provider refused the sign-in')
    const again = await wallet.browser.open(url)
    expect(again).toMatchObject({ status: 400, location: undefined })
  })
})

test('a registered wallet gets the error of a provider that must not prompt the person', async () => {
  const tenant = await service.addTenant({ aliases: [`localhost:${new URL(service.origin).port}`] })
  await registerWallet(tenant)
  await using own = await startProvider(tenant, { forwardedRequestParameters: ['prompt'] })
  const origin = `http://${tenant.host}`
  const wallet = newAuthorizationWallet(tenant, origin, await compactConfiguration(tenant))
  const { url } = await wallet.browser.signIn(wallet.authorizeUrl({ prompt: 'none' }))
  expect(own.requests.length).toBeGreaterThan(0)
  expect(url.href.startsWith(redirectUri)).toBe(true)
  expect(url.searchParams.get('error')).toBe('server_error')
})

test('a person who cancels has acted, so the wallet gets a redirect', async () => {
  const wallet = newWallet()
  expect((await wallet.authorize({}, '')).get('error')).toBe('access_denied')
})

test.each([
  ['https://wallet.example/cb?next=%2Fhome%20a+b&x=%7e', '&'],
  ['https://wallet.example/cb?', ''],
  ['https://wallet.example/cb?a&', ''],
  ['HTTPS://Wallet.example:443/%7ecb/../x', '?'],
  ['com.example.wallet:callback?state=mine', '&'],
])('the address %s is used byte for byte, followed by the response', async (address, separator) => {
  const client = { name: 'Exact', clientId: `exact ${address}`.replace(' ', '-'), redirectUris: [address] }
  expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  const { location } = await startOf({
    client_id: client.clientId,
    redirect_uri: address,
    response_type: 'token',
    state: 'a b&c=ü',
  })
  expect(location?.slice(0, address.length + separator.length)).toBe(address + separator)
  const answer = new URLSearchParams(location?.slice(address.length + separator.length))
  expect(answer.get('error')).toBe('unsupported_response_type')
  expect(answer.get('state')).toBe('a b&c=ü')
  expect(answer.get('iss')).toBe(service.baseUrl)
})
