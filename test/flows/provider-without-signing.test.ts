import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Problem } from '../../shared/errors/errors.ts'
import { atProvider, begin, redirectTarget, returnToConsole, runProviderOf } from '../api/console/provider-people.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { newBrowser, type RunningProvider, startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

/** Sign-ins with private_key_jwt while the signing process does not answer. */
let service: Service
let provider: TestProvider
let ofConsole: RunningProvider
const byKey = { tokenEndpointAuthMethod: 'private_key_jwt', clientSecret: undefined }
const isBusy = { status: 503, headers: { 'retry-after': '2' } }

beforeAll(async () => {
  service = await startService()
  const jwks_uri = `${service.origin}/v1/sign-in/jwks`
  const client = { token_endpoint_auth_method: 'private_key_jwt' as const, jwks_uri }
  provider = await startProvider(service, byKey, { client })
  ofConsole = await runProviderOf([service.baseUrl], client)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await ofConsole?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

function stopSigningOnce() {
  const unavailable = new Problem('service_unavailable', { retryAfterSeconds: 2 })
  return vi.spyOn(service.deps.keys, 'call').mockRejectedValueOnce(unavailable)
}

test('the callback of a person is answered with 503, and a reload signs in', async () => {
  const configurationId = await compactConfiguration(service)
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const browser = newBrowser(({ pathname }) => pathname === '/v1/oauth/authentication/callback')
  const { url } = await browser.signIn(wallet.authorizeUrl())
  const before = provider.requests.length
  stopSigningOnce()
  const refused = await browser.open(url)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(refused.html).not.toContain('identity provider')
  expect(provider.requests.length).toBe(before)
  const { location } = await browser.open(url)
  expect(location?.searchParams.get('code')).toEqual(expect.any(String))
})

test('the callback of the console is answered with 503, and a reload signs in', async () => {
  const { url: issuer, clientId } = ofConsole
  const roles = [{ value: 'registry', roles: ['issuer'] }]
  const settings = { name: 'Staff', issuer, clientId, ...byKey, claim: 'groups', roles }
  expect(await service.operator.put('/v1/sign-in-provider', settings)).toMatchObject({ status: 200 })
  const begun = await begin(service)
  const callback = await atProvider(begun, 'ada')
  stopSigningOnce()
  const refused = await returnToConsole(service, callback, begun.cookie)
  expect(refused).toMatchObject(isBusy)
  expect(redirectTarget(refused)).toBe('/console/#error=busy')
  const answer = await returnToConsole(service, callback, begun.cookie)
  expect([answer.status, redirectTarget(answer)]).toEqual([200, '/console/'])
})

test('the test of a provider is answered with 503', async () => {
  stopSigningOnce()
  const path = `/v1/users/authentication-providers/${provider.providerId}/test`
  expect(await service.operator.post(path, {})).toMatchObject(isBusy)
})
