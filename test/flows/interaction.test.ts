import { randomBytes } from 'node:crypto'
import { lte } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pushedRequests } from '../../db/tables/issuance/pushed-requests.ts'
import { createApi } from '../harness/api-client.ts'
import { webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { type InteractionComponent, startComponent, type TokenOptions } from '../servers/interaction-component.ts'
import { newBrowser, startProvider, type TestProvider } from '../servers/provider.ts'
import { startReceiver } from '../servers/receiver.ts'
import { clientId, newAuthorizationWallet } from '../wallets/authorization-wallet.ts'
import { makeProof, newHolderKey } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  const claimMappings = Object.fromEntries(
    ['given_name', 'family_name', 'answer'].map((name) => [name, { mapFrom: `claims.${name}` }]),
  )
  configurationId = await webConfiguration(service, { claimMappings })
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const newWallet = () => newAuthorizationWallet(service, service.origin, configurationId)
type Wallet = ReturnType<typeof newWallet>

async function subjectOf(wallet: Wallet, code: string, id = configurationId) {
  const token = await wallet.redeem(code)
  expect(token).toMatchObject({ status: 200 })
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const proof = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const { body } = await createApi(service.origin, service.host, token.body.access_token).post(
    '/v1/openid/credential',
    { credential_configuration_id: id, proofs: { jwt: [proof] } },
  )
  const { id: _id, ...subject } = body.credentials[0].credential.credentialSubject
  return subject
}

async function findUser(subjectId: string) {
  const { body } = await service.operator.post('/v1/users/search', { authenticationProvider: { subjectId } })
  return body.data[0]
}

/** Signs in and stops where the component's answer took the person. */
const signIn = (wallet: Wallet, user?: string) => wallet.browser.signIn(wallet.authorizeUrl(), user)

const failed = 'The sign-in could not be completed'
const expired = 'This sign-in has ended'
const handedBack = 'You have signed in'

async function expectPage(opened: Promise<{ status: number; html: string; location?: URL | undefined }>, text: string) {
  const { status, html, location } = await opened
  expect({ status, location, isPage: html.startsWith('<!doctype html>') }).toEqual({ status: 400, isPage: true })
  expect(html).toContain(`>${text}`)
}

async function codeFrom(wallet: Wallet, url: URL): Promise<string> {
  const { status, location } = await wallet.browser.open(url)
  expect({ status, host: location?.host }).toEqual({ status: 302, host: '127.0.0.1:9' })
  return location?.searchParams.get('code') ?? ''
}

test('the component can be an app that opens by its own scheme, and a response must name its url', async () => {
  const url = 'com.example.app:/step'
  const { body } = await service.operator.put('/v1/openid/configuration', { interactionHook: { url } })
  const key = Buffer.from(body.interactionHook.secret, 'base64')
  const answerTo = async (iss: string) => {
    const wallet = newWallet()
    const browser = newBrowser(({ protocol }) => protocol === 'com.example.app:')
    const { url: opened } = await browser.signIn(wallet.authorizeUrl())
    expect(opened.href.split('?')[0]).toBe(url)
    const { payload } = await jwtVerify(opened.searchParams.get('session_token') ?? '', key, { audience: url })
    const token = await new SignJWT({ state: payload.state, claims: { answer: 'by app' } })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(iss)
      .setAudience(service.baseUrl)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key)
    const back = new URL(String(payload.redirectUrl))
    const callback = new URL(`${service.origin}${back.pathname}`)
    callback.searchParams.set('session_token', token)
    return { wallet, answered: browser.open(callback) }
  }
  const { wallet, answered } = await answerTo(url)
  const code = (await answered).location?.searchParams.get('code') ?? ''
  expect(await subjectOf(wallet, code)).toMatchObject({ answer: 'by app' })
  await expectPage((await answerTo('null')).answered, failed)
})

test('the component gets the configured claims, and its claims are issued and stored as far as it says', async () => {
  const answer = () => ({
    payload: {
      iss: new URL(component.url).origin,
      claims: { answer: 'forty-two', family_name: 'Byron', place: 'London' },
      claimsToPersist: ['place', 'missing'],
      redirectUrl: 'https://elsewhere.example',
    },
  })
  await using component: InteractionComponent = await startComponent(service, {
    hook: { claims: ['given_name', 'missing', 'toString'] },
    answer,
  })
  const wallet = newWallet()
  const parameters = await wallet.authorize()
  expect(Object.fromEntries(parameters)).toMatchObject({ state: 'wallet-state', iss: service.baseUrl })

  const { payload, protectedHeader } = await jwtVerify(component.tokens[0]!, Buffer.from(component.secret, 'base64'), {
    algorithms: ['HS256'],
    issuer: service.baseUrl,
    audience: component.url,
  })
  expect(protectedHeader.alg).toBe('HS256')
  expect(payload.exp! - payload.iat!).toBe(1200)
  expect(payload).toMatchObject({
    redirectUrl: `${service.baseUrl}/v1/oauth/interaction/callback`,
    claims: { given_name: 'Ada' },
  })
  expect(Object.keys(payload.claims as object)).toEqual(['given_name'])

  const subject = await subjectOf(wallet, parameters.get('code') ?? '')
  expect(subject).toEqual({ given_name: 'Ada', family_name: 'Byron', answer: 'forty-two' })
  const user = await findUser('ada')
  expect(user.claims).toMatchObject({ family_name: 'Lovelace', place: 'London' })
  expect(user.claims).not.toHaveProperty('answer')
})

test('claims of the component precede those of the claim source, which precede those of the user', async () => {
  await using register = await startReceiver(() => ({ body: '{"answer":"source","family_name":"King"}' }))
  const source = await service.operator.post('/v1/claim-sources', {
    name: 'Register',
    url: register.url,
    authorization: { type: 'api-key', value: 'key' },
    requestParameters: { number: { mapFrom: 'claims.number' }, name: { mapFrom: 'claims.given_name' } },
  })
  const claimMappings = Object.fromEntries(
    ['given_name', 'family_name', 'answer'].map((name) => [name, { mapFrom: `claims.${name}` }]),
  )
  const id = await webConfiguration(service, { claimMappings, claimSourceId: source.body.id })
  await using _component = await startComponent(service, {
    answer: () => ({ payload: { claims: { answer: 'hook', number: 7 } } }),
  })
  const wallet = newAuthorizationWallet(service, service.origin, id)
  const subject = await subjectOf(wallet, (await wallet.authorize()).get('code') ?? '', id)
  expect(subject).toEqual({ given_name: 'Ada', family_name: 'King', answer: 'hook' })
  expect(register.deliveries.map(({ path }) => path)).toEqual(['/hook?number=7&name=Ada'])
})

const at = () => Math.floor(service.clock.now().getTime() / 1000)
const other = 'https://other.example'
const faults: [string, (component: InteractionComponent) => TokenOptions, string][] = [
  ['signed with another key', () => ({ key: randomBytes(32).toString('base64') }), failed],
  ['not signed', () => ({ header: { alg: 'none' } }), failed],
  ['signed by HS512', () => ({ header: { alg: 'HS512' } }), failed],
  ['signed by HS384', () => ({ header: { alg: 'HS384' } }), failed],
  ['with an unknown critical header', () => ({ header: { crit: ['x'], x: 1 } }), failed],
  ['of another issuer', () => ({ payload: { iss: other } }), failed],
  ['of no issuer', () => ({ payload: { iss: undefined } }), failed],
  ['of the tenant itself', () => ({ payload: { iss: service.baseUrl } }), failed],
  ['for another audience', () => ({ payload: { aud: other } }), failed],
  ['for no audience', () => ({ payload: { aud: undefined } }), failed],
  ['for the component itself', ({ url }) => ({ payload: { aud: url } }), failed],
  ['without a state', () => ({ payload: { state: undefined } }), failed],
  ['with a state of nothing', () => ({ payload: { state: 'x' } }), failed],
  ['with U+0000 in its state', () => ({ payload: { state: '\0.x' } }), failed],
  ['with a guessed state', ({ session }) => ({ payload: { state: `${session().state.slice(0, -5)}AAAAA` } }), failed],
  ['that has expired', () => ({ payload: { exp: at() - 1, iat: at() - 60 } }), expired],
  ['that does not expire', () => ({ payload: { exp: undefined } }), failed],
  ['that is good for two days', () => ({ payload: { exp: at() + 172_800 } }), failed],
  ['of no time', () => ({ payload: { iat: undefined } }), failed],
  ['of the future', () => ({ payload: { iat: at() + 300 } }), failed],
  ['that is not good yet', () => ({ payload: { nbf: at() + 300 } }), failed],
  ['with a list of claims', () => ({ payload: { claims: ['a'] } }), failed],
  ['with claims to persist that are no list', () => ({ payload: { claimsToPersist: 'answer' } }), failed],
  ['with __proto__', (component) => ({ text: textOf(component, '"__proto__":{"a":1}') }), failed],
  ['with a member twice', (component) => ({ text: textOf(component, '"answer":1,"answer":2') }), failed],
  ['with U+0000', (component) => ({ text: textOf(component, '"answer":"\\u0000"') }), failed],
]

/** The right payload with these claims, as text. */
function textOf({ token }: InteractionComponent, claims: string): string {
  const right = Buffer.from(token().split('.')[1] ?? '', 'base64url').toString()
  return right.replace('"claims":{}', `"claims":{${claims}}`)
}

test.each(faults)(
  'a response %s shows a page, issues nothing and leaves the interaction open',
  async (_what, fault, text) => {
    await using component: InteractionComponent = await startComponent(service, { answer: () => fault(component) })
    const wallet = newWallet()
    await expectPage(signIn(wallet), text)
    expect(await codeFrom(wallet, component.callback(component.token()))).not.toBe('')
  },
)

test('the timeline of the offer names the fault of a response, and the page names the step', async () => {
  let fault = (): TokenOptions => ({})
  await using component: InteractionComponent = await startComponent(service, { answer: () => fault() })
  const { body: offer } = await service.operator.post('/v1/openid/offers', { credentials: [configurationId] })
  const { grants } = JSON.parse(new URL(offer.uri).searchParams.get('credential_offer') ?? '')
  const { issuer_state } = grants.authorization_code
  const faults: [fault: () => TokenOptions, reason: string][] = [
    [
      () => ({ key: randomBytes(32).toString('base64') }),
      'signature is wrong (decode the secret from base64 before use)',
    ],
    [() => ({ header: { alg: 'HS512' } }), 'alg is HS512, not HS256'],
    [() => ({ payload: { aud: 'https://x.example' } }), `aud is https://x.example, expected ${service.baseUrl}`],
    [() => ({ payload: { iss: undefined } }), 'iss is missing'],
    [() => ({ payload: { claims: ['a'] } }), 'claims: Must be an object'],
    [() => ({ payload: { iat: at() + 300 } }), 'iat is in the future (check the clocks)'],
    [() => ({ payload: { exp: at() - 10 } }), 'it is expired (exp)'],
    [() => ({ text: textOf(component, '"answer":1,"answer":2') }), 'claims: Appears more than once'],
  ]
  for (const [make] of faults) {
    const wallet = newWallet()
    fault = make
    const { html } = await wallet.browser.signIn(wallet.authorizeUrl({ issuer_state }), undefined)
    expect(html).toMatch(/The step after the sign-in returned an invalid response|took too long/)
    expect(html).not.toContain('secret')
  }
  const reasons = await eventually(async () => {
    const { body } = await service.operator.get(`/v1/openid/offers/${issuer_state}/timeline`)
    const failures = body.data.filter(({ outcome }: { outcome: string }) => outcome === 'failure')
    return failures.length >= faults.length && failures.map(({ reason }: { reason: string }) => reason)
  })
  expect(reasons.map((each: string) => each.replace(/^\w+: the component's session_token: /, ''))).toEqual(
    faults.map(([, reason]) => reason),
  )
})

test.each([
  ['no answer', ''],
  ['an empty answer', '?session_token='],
  ['two answers', '?session_token=a&session_token=b'],
  ['no token', '?session_token=x'],
  ['an encrypted token', '?session_token=a.b.c.d.e'],
  ['another parameter', '?error=cancelled'],
])('%s shows a page and issues nothing', async (_what, query) => {
  const { browser } = newWallet()
  const { status, html } = await browser.open(`${service.baseUrl}/v1/oauth/interaction/callback${query}`)
  expect({ status, isPage: html.startsWith('<!doctype html>') }).toEqual({ status: 400, isPage: true })
})

test('a response works once, and its code stays valid', async () => {
  await using component = await startComponent(service)
  const wallet = newWallet()
  const parameters = await wallet.authorize()
  const replay = component.callback(component.token())
  await expectPage(wallet.browser.open(replay), handedBack)
  expect(await wallet.redeem(parameters.get('code') ?? '')).toMatchObject({ status: 200 })
})

test('one of several concurrent responses gives a code, and only its claims are stored', async () => {
  const wrong = () => ({ key: randomBytes(32).toString('base64') })
  await using component = await startComponent(service, { answer: wrong })
  for (let race = 0; race < 10; race++) {
    const wallet = newWallet()
    await signIn(wallet, 'grace')
    const urls = Array.from({ length: 5 }, (_, i) =>
      component.callback(
        component.token({ payload: { claims: { place: i, [`race${race}`]: i }, claimsToPersist: ['place'] } }),
      ),
    )
    const opened = await Promise.all(urls.map((url) => wallet.browser.open(url)))
    expect(opened.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400])
    const winner = opened.findIndex(({ status }) => status === 302)
    expect((await findUser('grace')).claims).toMatchObject({ place: winner })
  }
})

test('a response is accepted only in the browser that started the sign-in', async () => {
  const wrong = () => ({ key: randomBytes(32).toString('base64') })
  await using component = await startComponent(service, { answer: wrong })
  const [wallet, stranger] = [newWallet(), newWallet()]
  await signIn(stranger)
  await signIn(wallet)
  const callback = component.callback(component.token())
  await expectPage(stranger.browser.open(callback), failed)
  await expectPage(newWallet().browser.open(callback), failed)
  expect(await codeFrom(wallet, callback)).not.toBe('')
})

test('a response is accepted only at the tenant that started the interaction', async () => {
  const wrong = () => ({ key: randomBytes(32).toString('base64') })
  await using component = await startComponent(service, { answer: wrong })
  const tenant = await service.addTenant()
  await using foreign = await startComponent(service, { tenant })
  const wallet = newWallet()
  await signIn(wallet)
  const url = component.callback(component.token())
  const cookie = 'any=thing'
  const there = await createApi(service.origin, tenant.host).get(url.pathname + url.search, { cookie })
  expect(there).toMatchObject({ status: 400 })
  expect(there.body).toContain(failed)
  // Signed with the other tenant's secret, for the other tenant, or for this one.
  const { state } = component.session()
  for (const aud of [tenant.baseUrl, service.baseUrl]) {
    const token = component.token({ key: foreign.secret, payload: { iss: foreign.url, aud, state } })
    await expectPage(wallet.browser.open(component.callback(token)), failed)
  }
  expect(await codeFrom(wallet, url)).not.toBe('')
})

test('the state of an interaction is not valid for a login', async () => {
  const wrong = () => ({ key: randomBytes(32).toString('base64') })
  await using component = await startComponent(service, { answer: wrong })
  const wallet = newWallet()
  await signIn(wallet)
  const { state } = component.session()
  const callback = `${service.baseUrl}/v1/oauth/authentication/callback?code=x&state=${encodeURIComponent(state)}`
  const { status, location } = await wallet.browser.open(callback)
  expect({ status, location }).toEqual({ status: 400 })
  expect(await codeFrom(wallet, component.callback(component.token()))).not.toBe('')
})

test('a disabled hook is skipped', async () => {
  await using component = await startComponent(service, { hook: { disabled: true } })
  expect((await newWallet().authorize()).get('code')).toBeTruthy()
  expect(component.tokens).toEqual([])
})

test('events of an interaction contain no claims', async () => {
  const successes = '/v1/events?types=OPENID_INTERACTION_HOOK_SUCCESS&limit=1000'
  const before = (await service.operator.get(successes)).body.data.length
  await using _component = await startComponent(service, {
    answer: () => ({ payload: { claims: { answer: 'secret-42' } } }),
  })
  await newWallet().authorize()
  const events = await eventually(async () => {
    const { body } = await service.operator.get(successes)
    return body.data.length > before && (await service.operator.get('/v1/events?limit=1000')).body
  })
  expect(JSON.stringify(events)).not.toMatch(/secret-42|eyJ/)
})

test('an interaction expires after the time that the hook sets', async () => {
  const wrong = () => ({ key: randomBytes(32).toString('base64') })
  await using component = await startComponent(service, { hook: { sessionTimeoutInSec: 7200 }, answer: wrong })
  const [inTime, late] = [newWallet(), newWallet()]
  await signIn(inTime)
  service.clock.advance(7_190_000)
  expect(await codeFrom(inTime, component.callback(component.token()))).not.toBe('')
  await signIn(late)
  service.clock.advance(7_201_000)
  await expectPage(late.browser.open(component.callback(component.token())), expired)
})

test('a pushed request that is opened in another tab lasts as long as the step in the first tab', async () => {
  const wrong = () => ({ key: randomBytes(32).toString('base64') })
  await using component = await startComponent(service, { hook: { sessionTimeoutInSec: 7200 }, answer: wrong })
  const wallet = newWallet()
  const { searchParams } = wallet.authorizeUrl()
  const { body } = await service.anonymous.post('/v1/oauth/par', new URLSearchParams(searchParams))
  const only = Object.fromEntries([...searchParams.keys()].map((name) => [name, undefined]))
  const url = wallet.authorizeUrl({ ...only, client_id: clientId, request_uri: body.request_uri })
  await wallet.browser.signIn(url)
  await wallet.browser.open(url)
  service.clock.advance(3_600_000)
  const isOver = lte(pushedRequests.expiresAt, service.clock.now())
  await service.deps.db.tx(async (tx) => void (await tx.delete(pushedRequests).where(isOver)))
  expect(await codeFrom(wallet, component.callback(component.token()))).not.toBe('')
})
