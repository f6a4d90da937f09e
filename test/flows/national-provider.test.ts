import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

/** A tenant whose provider requires what providers of states require. */
let service: SharedService
let provider: TestProvider
let configurationId: string
const keySet = '/v1/sign-in/jwks'
const providers = '/v1/users/authentication-providers'
const byKey = { tokenEndpointAuthMethod: 'private_key_jwt', clientSecret: undefined }

beforeAll(async () => {
  service = await joinService()
  const client = {
    userinfo_signed_response_alg: 'RS256' as const,
    token_endpoint_auth_method: 'private_key_jwt' as const,
    jwks_uri: `${service.origin}${keySet}`,
  }
  provider = await startProvider(service, byKey, { claimsInUserInfo: true, client })
  configurationId = await compactConfiguration(service)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const keysOf = async () => (await service.anonymous.get(keySet)).body.keys

/** Signs in, and returns the error that the wallet got. */
const signIn = async () =>
  (await newAuthorizationWallet(service, service.origin, configurationId).authorize()).get('error')

test('the service signs in with a key, and reads the claims from the signed UserInfo response', async () => {
  expect(await signIn()).toBeNull()
  expect(provider.requests.map(({ pathname }) => pathname)).toContain('/me')
  const { body } = await service.operator.post('/v1/users/search', { authenticationProvider: { subjectId: 'ada' } })
  expect(body.data[0].claims).toMatchObject({ given_name: 'Ada', email: 'ada@example.org' })
})

test('the key set is public and has no private member, and a rotated key signs', async () => {
  const [key, ...others] = await eventually(async () => (await keysOf()).length > 0 && (await keysOf()))
  expect(others).toEqual([])
  expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  expect(await service.operator.post('/v1/keys/clientAssertions/rotate')).toMatchObject({ status: 201 })
  const kids = (await keysOf()).map(({ kid }: { kid: string }) => kid)
  expect(kids).toContain(key.kid)
  expect(kids).toHaveLength(2)
  expect(await signIn()).toBeNull()
})

test('the audience is the token endpoint if the settings say so', async () => {
  const path = `${providers}/${provider.providerId}`
  const { body: before } = await service.operator.get(path)
  expect(before).toMatchObject({ assertionAudience: 'issuer', jwksUrl: `${service.baseUrl}${keySet}` })
  expect(before).not.toHaveProperty('clientSecret')
  const changed = await service.operator.put(path, { ...before, assertionAudience: 'token-endpoint' })
  expect(changed).toMatchObject({ status: 200, body: { assertionAudience: 'token-endpoint' } })
  expect(await signIn()).toBeNull()
})

test('a secret is refused with a key, and required again without one', async () => {
  const path = `${providers}/${provider.providerId}`
  const { body } = await service.operator.get(path)
  const put = (members: object) => service.operator.put(path, { ...body, ...members })
  const refused = { status: 400, body: { details: [{ param: 'clientSecret' }] } }
  expect(await put({ clientSecret: 'a-secret' })).toMatchObject(refused)
  expect(await put({ tokenEndpointAuthMethod: 'client_secret_basic' })).toMatchObject(refused)
  expect(await put({ tokenEndpointAuthMethod: 'client_secret_basic', clientSecret: '********' })).toMatchObject(refused)
})

test('the test of a provider uses the key, at both kinds of providers', async () => {
  const tested = await service.operator.post(`${providers}/${provider.providerId}/test`, {})
  expect(tested.body).toMatchObject({ works: true })
  const { url: issuer, clientId } = provider
  const roles = [{ value: 'staff', roles: ['issuer'] }]
  const settings = { name: 'Staff', issuer, clientId, ...byKey, claim: 'groups', roles }
  const ofConsole = await service.operator.post('/v1/sign-in-provider/test', settings)
  expect(ofConsole.body.checks).toContainEqual(expect.objectContaining({ check: 'client', result: 'passed' }))
  const saved = await service.operator.put('/v1/sign-in-provider', settings)
  expect(saved).toMatchObject({ status: 200, body: { jwksUrl: `${service.baseUrl}${keySet}` } })
  expect(saved.body).not.toHaveProperty('clientSecret')
})
