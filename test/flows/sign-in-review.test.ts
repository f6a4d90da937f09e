import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offerIn } from '../harness/bulk-links.ts'
import { newClaimLink } from '../harness/claim-links.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { startComponent } from '../servers/interaction-component.ts'
import { newBrowser, startProvider, type TestProvider } from '../servers/provider.ts'
import { attestClient, newAttester, possessionOf } from '../wallets/attestation.ts'
import { newAuthorizationWallet, redirectUri, registerWallet } from '../wallets/authorization-wallet.ts'
import { newHolderKey, readOffer } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service, { forwardedRequestParameters: ['login_hint'] })
  configurationId = await compactConfiguration(service, { display: [{ name: 'Swimming' }] })
  await set({ reviewBeforeSignIn: true })
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const set = (settings: Record<string, unknown>) => service.platform.put(`/v1/tenants/${service.id}`, settings)
const newWallet = () => newAuthorizationWallet(service, service.origin, configurationId)
type Wallet = ReturnType<typeof newWallet>

/** Starts an authorization. Returns the address of the review. */
async function reviewOf(wallet: Wallet, changes: Record<string, string | undefined> = {}): Promise<URL> {
  const { status, location } = await wallet.browser.open(wallet.authorizeUrl(changes))
  expect({ status, path: location?.pathname }).toEqual({ status: 302, path: '/v1/oauth/review' })
  return location!
}

const press = (wallet: Wallet, review: URL, answer = 'continue') => wallet.browser.open(review, 'POST', { answer })

/** Pushes a request. Returns the address that opens it. */
async function pushed(wallet: Wallet, changes: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const { searchParams } = wallet.authorizeUrl(changes)
  const { status, body } = await service.anonymous.post('/v1/oauth/par', new URLSearchParams(searchParams), headers)
  expect(status).toBe(201)
  const query = { client_id: searchParams.get('client_id') ?? '', request_uri: body.request_uri }
  return new URL(`/v1/oauth/authorize?${new URLSearchParams(query)}`, service.origin)
}

/** Presses Continue and signs in. Returns the parameters of the redirect to the wallet. */
async function confirm(wallet: Wallet, review: URL, user = 'ada'): Promise<URLSearchParams> {
  const { status, location } = await press(wallet, review)
  expect({ status, origin: location?.origin }).toEqual({ status: 303, origin: provider.url })
  return (await wallet.browser.signIn(location!, user)).url.searchParams
}

const codeOnly = (answer: URLSearchParams) => ({ code: answer.has('code'), error: answer.get('error') })
const cancelled = {
  ...{ error: 'access_denied', error_description: 'The sign-in was cancelled' },
  ...{ state: 'wallet-state' },
}

describe('the page before the sign-in', () => {
  test('is not shown unless the setting is set, and the setting stays if a PUT leaves it out', async () => {
    expect(await set({ reviewBeforeSignIn: null })).toMatchObject({ body: { reviewBeforeSignIn: false } })
    const { location } = await newWallet().browser.open(newWallet().authorizeUrl())
    expect(location?.origin).toBe(provider.url)
    await set({ reviewBeforeSignIn: true })
    expect(await set({})).toMatchObject({ body: { reviewBeforeSignIn: true } })
  })

  test('says what will be issued, in the language of the person', async () => {
    const wallet = newWallet()
    const review = await reviewOf(wallet)
    const { status, html, headers } = await wallet.browser.open(review)
    expect(status).toBe(200)
    expect(html).toContain('<h1>You will receive this credential</h1>')
    expect(html).toContain('<div>Swimming</div>')
    const cookie = [...wallet.browser.cookies.get(review.host)!].map(([name, value]) => `${name}=${value}`).join('; ')
    const german = await fetch(review, { headers: { cookie, 'accept-language': 'de' } })
    expect(await german.text()).toContain('<h1>Sie erhalten diesen Nachweis</h1>')
    expect(html).not.toMatch(/<script| on\w+=| style=|Your wallet:/)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('leads to the sign-in with the parameters of the wallet, and to a code', async () => {
    const wallet = newWallet()
    const review = await reviewOf(wallet, { login_hint: 'grace' })
    const { location } = await press(wallet, review)
    expect(location?.searchParams.get('login_hint')).toBe('grace')
    const answer = (await wallet.browser.signIn(location!)).url.searchParams
    expect(codeOnly(answer)).toEqual({ code: true, error: null })
    expect(await wallet.redeem(answer.get('code') ?? '')).toMatchObject({ status: 200 })
  })

  test('returns a person who cancels to the wallet, once', async () => {
    const wallet = newWallet()
    const review = await reviewOf(wallet)
    const { status, location } = await press(wallet, review, 'cancel')
    expect(status).toBe(303)
    expect(location?.href.startsWith(`${redirectUri}?`)).toBe(true)
    expect(Object.fromEntries(location!.searchParams)).toEqual({ ...cancelled, iss: service.baseUrl })
    for (const answer of ['continue', 'cancel']) {
      expect(await press(wallet, review, answer)).toMatchObject({ status: 400, location: undefined })
    }
  })

  test('lets a person go back from the provider, and press a button twice', async () => {
    const wallet = newWallet()
    const review = await reviewOf(wallet)
    const { location: left } = await press(wallet, review)
    expect(await wallet.browser.open(review)).toMatchObject({ status: 200 })
    expect(codeOnly(await confirm(wallet, review))).toEqual({ code: true, error: null })
    expect((await wallet.browser.signIn(left!)).html).toContain('<h1>You have signed in</h1>')
    expect((await press(wallet, review)).html).toContain('<h1>You have signed in</h1>')
    const pressed = await reviewOf(wallet)
    const both = await Promise.all([press(wallet, pressed), press(wallet, pressed)])
    const ends = both.map(({ status, location }) => `${status} ${location?.pathname}`)
    expect(ends).toEqual(['303 /auth', '303 /auth'])
    expect(codeOnly(await confirm(wallet, pressed))).toEqual({ code: true, error: null })
  })

  test('belongs to the browser and the tenant that started it, and to its own authorization', async () => {
    const wallet = newWallet()
    const review = await reviewOf(wallet)
    const stranger = newBrowser(() => false)
    expect(await stranger.open(review)).toMatchObject({ status: 400 })
    expect(await stranger.open(review, 'POST', { answer: 'continue' })).toMatchObject({ status: 400 })
    const [id = '', mac = ''] = review.searchParams.get('state')!.split('.')
    const [otherId = ''] = (await reviewOf(wallet)).searchParams.get('state')!.split('.')
    for (const state of [`${otherId}.${mac}`, `${id}.`, id, 'made-up', '']) {
      const address = new URL(`?${new URLSearchParams({ state })}`, review)
      expect([state, (await press(wallet, address)).status]).toEqual([state, 400])
    }
    const cookie = [...wallet.browser.cookies.get(review.host)!].map(([name, value]) => `${name}=${value}`).join('; ')
    const tenant = await service.addTenant()
    expect(await tenant.anonymous.get(review.pathname + review.search, { cookie })).toMatchObject({ status: 400 })
    expect(await press(wallet, review, 'other')).toMatchObject({ status: 400 })
    expect(codeOnly(await confirm(wallet, review))).toEqual({ code: true, error: null })
  })
})

test('the name of a registered wallet is shown if its attestation was verified', async () => {
  const attester = await newAttester()
  const key = await newHolderKey('ES256')
  const own = { clientId: 'attested', redirectUris: [redirectUri] }
  const attestation = { required: false, rootCertificates: [attester.rootPem] }
  const registered = { name: 'Wallet of <Ada>', ...own, attestation }
  expect(await service.operator.post('/v1/openid/clients', registered)).toMatchObject({ status: 201 })
  const attested = {
    'oauth-client-attestation': await attestClient(attester, { ...own, publicJwk: key.publicJwk }),
    'oauth-client-attestation-pop': await possessionOf(key, service.baseUrl),
  }
  const textOf = async (headers: Record<string, string>) => {
    const wallet = newWallet()
    const { location } = await wallet.browser.open(await pushed(wallet, { client_id: own.clientId }, headers))
    return (await wallet.browser.open(location!)).html
  }
  expect(await textOf(attested)).toContain('<p>Your wallet: <strong>Wallet of &#60;Ada&#62;</strong></p>')
  expect(await textOf({})).not.toContain('Your wallet:')
})

test('an unregistered wallet gets an error only from a person who cancels', async () => {
  await set({ publicClients: true })
  const wallet = newWallet()
  const review = await reviewOf(wallet, { client_id: 'any' })
  expect((await press(wallet, review, 'cancel')).location?.searchParams.get('error')).toBe('access_denied')
  await set({ publicClients: false })
})

test('a pushed request ends with the person who cancels', async () => {
  const wallet = newWallet()
  const address = await pushed(wallet)
  await wallet.browser.open(address)
  const { location } = await wallet.browser.open(address)
  expect((await press(wallet, location!, 'cancel')).location?.searchParams.get('error')).toBe('access_denied')
  expect(await wallet.browser.open(address)).toMatchObject({ status: 400, location: undefined })
})

test('the offer of a claim link is reviewed, and its timeline tells the review', async () => {
  const signIn = { claim: 'email', rowClaim: 'claims.email' }
  const link = await newClaimLink(service, service, [configurationId], { signIn, claims: { email: 'ada@example.org' } })
  const path = new URL(link.address).pathname
  await service.anonymous.post(path)
  const offer = await readOffer(offerIn((await service.anonymous.get(path)).body), service.anonymous)
  const { issuer_state } = offer.grants.authorization_code!
  const changes = { issuer_state, authorization_details: undefined }
  const wallet = newWallet()
  await press(wallet, await reviewOf(wallet, changes), 'cancel')
  const again = newWallet()
  expect(codeOnly(await confirm(again, await reviewOf(again, changes)))).toEqual({ code: true, error: null })
  const offerId = issuer_state!.split('.')[0]
  const reviews = async () => {
    const { body } = await service.operator.get(`/v1/openid/offers/${offerId}/timeline`)
    return body.data.filter(({ step }: { step: string }) => step === 'review before the sign-in')
  }
  await expect.poll(async () => (await reviews()).length).toBe(2)
  expect(await reviews()).toMatchObject([
    { outcome: 'failure', refusedBy: { check: 'review_confirmed', clause: 'OpenID4VCI 1.0, section 15.1' } },
    { outcome: 'success', passed: ['sign_in_state', 'review_confirmed', 'provider_reached'] },
  ])
})

test('the interaction hook follows the sign-in', async () => {
  await using component = await startComponent(service)
  const wallet = newWallet()
  expect(codeOnly(await confirm(wallet, await reviewOf(wallet)))).toEqual({ code: true, error: null })
  expect(component.tokens).toHaveLength(1)
})

test('the review ends with the sign-in, after half an hour', async () => {
  const wallet = newWallet()
  const review = await reviewOf(wallet)
  service.clock.advance(31 * 60_000)
  expect((await wallet.browser.open(review)).html).toContain('<h1>This sign-in has ended</h1>')
  expect(await press(wallet, review)).toMatchObject({ status: 400 })
})
