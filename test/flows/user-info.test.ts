import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { type Forgery, startForgingProvider } from '../servers/forging-provider.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

let service: SharedService
let provider: Awaited<ReturnType<typeof startForgingProvider>>
let configurationId: string
beforeAll(async () => {
  service = await joinService()
  provider = await startForgingProvider('trustwright')
  await service.operator.post('/v1/users/authentication-providers', {
    ...{ url: provider.url, clientId: 'trustwright', clientSecret: 'kept secret between us' },
    claimsToPersist: ['given_name'],
  })
  configurationId = await compactConfiguration(service)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** Signs in, and returns the error that the wallet got and the claims that are stored for the person. */
async function signIn(sub: string, forgery: Forgery) {
  provider.forgery = { claims: { sub }, userInfo: { sub, given_name: 'Ada' }, ...forgery }
  const answer = await newAuthorizationWallet(service, service.origin, configurationId).authorize()
  const authenticationProvider = { subjectId: sub }
  const { body } = await service.operator.post('/v1/users/search', { authenticationProvider })
  return { error: answer.get('error'), claims: body.data[0]?.claims }
}

const isRead = { error: null, claims: { given_name: 'Ada' } }

test('a signed UserInfo response is read (OpenID Connect Core, section 5.3.2)', async () => {
  expect(await signIn('signed', { userInfoJwt: {} })).toEqual(isRead)
  const claims = { aud: ['another', 'trustwright'] }
  expect(await signIn('audiences', { userInfoJwt: { claims } })).toEqual(isRead)
})

test.each<[string, NonNullable<Forgery['userInfoJwt']>]>([
  ['of another issuer', { claims: { iss: 'https://login.example' } }],
  ['for another client', { claims: { aud: 'another' } }],
  ['of another person', { claims: { sub: 'grace' } }],
  ['signed with another key', { signed: 'stranger' }],
  ['without a signature', { signed: 'none' }],
  ['signed with the client secret', { signed: { secret: 'kept secret between us' } }],
])('a UserInfo response %s ends the sign-in', async (what, userInfoJwt) => {
  expect(await signIn(what, { userInfoJwt })).toEqual({ error: 'server_error', claims: undefined })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a UserInfo response in %s is read, as JSON and signed', async (name, compress) => {
  const coding = { name, compress: (bytes: Buffer) => compress(bytes) }
  expect(await signIn(`${name} json`, { coding })).toEqual(isRead)
  expect(await signIn(`${name} jwt`, { coding, userInfoJwt: {} })).toEqual(isRead)
})
