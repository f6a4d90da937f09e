import { afterAll, beforeAll, expect, test } from 'vitest'
import { offerIn } from '../harness/bulk-links.ts'
import { newClaimLink } from '../harness/claim-links.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { startForgingProvider } from '../servers/forging-provider.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'
import { readOffer } from '../wallets/wallet.ts'

let service: SharedService
let provider: Awaited<ReturnType<typeof startForgingProvider>>
let configurationId: string
beforeAll(async () => {
  service = await joinService()
  provider = await startForgingProvider('trustwright')
  await service.operator.post('/v1/users/authentication-providers', {
    ...{ url: provider.url, clientId: 'trustwright', clientSecret: 'kept secret between us' },
  })
  configurationId = await compactConfiguration(service)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** Signs in with a link for this email address. Returns the error that the wallet got, or null. */
async function signInFor(email: string): Promise<string | null> {
  const signIn = { claim: 'email', rowClaim: 'claims.email' }
  const link = await newClaimLink(service, service, [configurationId], { signIn, claims: { given_name: 'A', email } })
  const { pathname } = new URL(link.address)
  await service.anonymous.post(pathname)
  const offer = await readOffer(offerIn((await service.anonymous.get(pathname)).body), service.anonymous)
  const { issuer_state } = offer.grants.authorization_code
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  return (await wallet.authorize({ issuer_state, authorization_details: undefined })).get('error')
}

test('the verification of one email address does not count for the address in the other response', async () => {
  const [ada, eve] = ['ada@example.org', 'eve@example.org']
  const userInfo = { sub: 'ada', email: eve, email_verified: true }
  provider.forgery = { claims: { email: ada }, userInfo }
  expect([await signInFor(ada), await signInFor(eve)]).toEqual(['access_denied', null])
  provider.forgery = { claims: { email_verified: true }, userInfo: { sub: 'ada', email: ada } }
  expect(await signInFor(ada)).toBe('access_denied')
  provider.forgery = { claims: { email: ada, email_verified: true }, userInfo }
  expect([await signInFor(ada), await signInFor(eve)]).toEqual([null, 'access_denied'])
})
