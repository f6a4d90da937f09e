import { eq } from 'drizzle-orm'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, webConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { clientId, newAuthorizationWallet, redirectUri, registerWallet } from '../wallets/authorization-wallet.ts'
import { dpopProof, jktOf, newDpopKey } from '../wallets/dpop.ts'
import { type HolderKeyPair, makeProof, newHolderKey } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string
let otherId: string
let key: HolderKeyPair

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service, { forwardedRequestParameters: ['login_hint', 'prompt'] })
  configurationId = await compactConfiguration(service)
  otherId = await webConfiguration(service)
  key = await newDpopKey()
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

type Changes = Record<string, string | undefined>

const newWallet = () => newAuthorizationWallet(service, service.origin, configurationId)
const tokenUrl = () => `${service.baseUrl}/v1/oauth/token`
const proofFor = (url: string, accessToken?: string) =>
  dpopProof({ key, url, ...(accessToken === undefined ? {} : { accessToken }) })

async function collect(token: ApiResponse['body'], body: Record<string, unknown>) {
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const proof = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const url = `${service.baseUrl}/v1/openid/credential`
  const headers = {
    authorization: `${token.token_type} ${token.access_token}`,
    ...(token.token_type === 'DPoP' ? { dpop: await proofFor(url, token.access_token) } : {}),
  }
  return service.anonymous.post('/v1/openid/credential', { ...body, proofs: { jwt: [proof] } }, headers)
}

/** Returns the response to the wallet, without following the redirect to the provider. */
async function startOf(changes: Changes, tenant: TestTenant = service) {
  const url = newWallet().authorizeUrl(changes)
  const response = await request(url, { headers: { host: tenant.host } })
  const html = await response.body.text()
  const { location } = response.headers
  return { status: response.statusCode, html, location: location ? new URL(String(location)) : undefined }
}

test('a person signs in at the provider, and the wallet gets a code, a token and a credential', async () => {
  const wallet = newWallet()
  const answer = await wallet.authorize()
  expect(Object.fromEntries(answer)).toMatchObject({ state: 'wallet-state', iss: service.baseUrl })
  const token = await wallet.redeem(answer.get('code') ?? '')
  expect(token).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 300 } })
  const [detail] = token.body.authorization_details
  expect(await collect(token.body, { credential_identifier: detail.credential_identifiers[0] })).toMatchObject({
    status: 200,
  })
  const users = await service.operator.post('/v1/users/search', { authenticationProvider: { subjectId: 'ada' } })
  expect(users.body.data).toMatchObject([
    { claims: { given_name: 'Ada', family_name: 'Lovelace' }, authenticationProvider: { url: provider.url } },
  ])
})

test('a wallet can request several credentials by scope, and collect each of them again', async () => {
  const { body: metadata } = await service.anonymous.get('/.well-known/openid-credential-issuer')
  const scopes = [configurationId, otherId].map((id) => metadata.credential_configurations_supported[id].scope)
  const wallet = newWallet()
  const scope = [...scopes, 'a-scope-of-others'].join(' ')
  const code = (await wallet.authorize({ authorization_details: undefined, scope })).get('code') ?? ''
  const token = await wallet.redeem(code)
  expect(token.body.scope.split(' ').sort()).toEqual(scopes.sort())
  expect(token.body).not.toHaveProperty('authorization_details')
  for (const id of [configurationId, otherId]) {
    expect(await collect(token.body, { credential_configuration_id: id })).toMatchObject({ status: 200 })
    expect(await collect(token.body, { credential_configuration_id: id })).toMatchObject({ status: 200 })
  }
})

test('each scope of the metadata selects exactly its configuration', async () => {
  const sameType = [await webConfiguration(service), await webConfiguration(service)]
  const { body: semantic } = await service.operator.get(`/v2/credentials/web-semantic/configurations/${sameType[0]}`)
  // Types that look like the scope of another configuration, of which the last is the younger.
  const lookalike = await webConfiguration(service, { type: `${semantic.type}:${sameType[1]}` })
  const ids = [
    configurationId,
    ...sameType,
    lookalike,
    await compactConfiguration(service, { type: '100% “Führerschein” ü' }),
  ]
  const { body: metadata } = await service.anonymous.get('/.well-known/openid-credential-issuer')
  for (const id of ids) {
    const { scope } = metadata.credential_configurations_supported[id]
    const wallet = newWallet()
    const asked = `${scope} cwt:unknown cwt:%E0%A4%A mso_mdoc: ldp_vc:x:${configurationId}`
    const code = (await wallet.authorize({ authorization_details: undefined, scope: asked })).get('code') ?? ''
    expect((await wallet.redeem(code)).body.scope).toBe(scope)
  }
  const tooMany = Array.from({ length: 101 }, (_, n) => `cwt:${n}`).join(' ')
  const { location } = await startOf({ authorization_details: undefined, scope: tooMany })
  expect(location?.searchParams.get('error')).toBe('invalid_scope')
  expect(location?.searchParams.get('error_description')).toContain('at most 100')
})

test('the offer selects the credentials of a request that names none, and the parameters for the provider', async () => {
  const shared = {
    credentials: [configurationId],
    request_parameters: { login_hint: 'ada@example.org', prompt: 'login' },
  }
  const offer = await service.operator.post('/v1/openid/offers', shared)
  const { grants } = JSON.parse(new URL(offer.body.uri).searchParams.get('credential_offer') ?? '')
  const { issuer_state } = grants.authorization_code
  const { location } = await startOf({ authorization_details: undefined, issuer_state, acr_values: 'high' })
  expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
    login_hint: 'ada@example.org',
    prompt: 'login',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
  })
  expect(location?.searchParams.has('acr_values')).toBe(false)
  const wallet = newWallet()
  const code = (await wallet.authorize({ authorization_details: undefined, issuer_state })).get('code') ?? ''
  expect(
    await collect((await wallet.redeem(code)).body, { credential_configuration_id: configurationId }),
  ).toMatchObject({
    status: 200,
  })
})

const toldToWallets: Record<string, { changes: Changes; error: string }> = {
  'no response_type': { changes: { response_type: undefined }, error: 'invalid_request' },
  'another response_type': { changes: { response_type: 'token' }, error: 'unsupported_response_type' },
  'another response_mode': { changes: { response_mode: 'fragment' }, error: 'invalid_request' },
  'no code_challenge': { changes: { code_challenge: undefined }, error: 'invalid_request' },
  'no code_challenge_method': { changes: { code_challenge_method: undefined }, error: 'invalid_request' },
  'a plain code_challenge': { changes: { code_challenge_method: 'plain' }, error: 'invalid_request' },
  'a code_challenge that is no hash': { changes: { code_challenge: 'short' }, error: 'invalid_request' },
  'a dpop_jkt that is no thumbprint': { changes: { dpop_jkt: 'short' }, error: 'invalid_request' },
  'a state beyond measure': { changes: { state: 's'.repeat(4001) }, error: 'invalid_request' },
  'a request object': { changes: { request: 'e30.e30.' }, error: 'request_not_supported' },
  'neither scope nor details': { changes: { authorization_details: undefined }, error: 'invalid_scope' },
  'only scopes of others': { changes: { authorization_details: undefined, scope: 'openid' }, error: 'invalid_scope' },
  'details that are no JSON': { changes: { authorization_details: '{' }, error: 'invalid_authorization_details' },
  'details of another type': {
    changes: { authorization_details: '[{"type":"payment"}]' },
    error: 'invalid_authorization_details',
  },
  'details of an unknown configuration': {
    changes: { authorization_details: '[{"type":"openid_credential","credential_configuration_id":"x"}]' },
    error: 'invalid_authorization_details',
  },
}

describe('the wallet gets by redirect, with iss and its state, the error of', () => {
  test.each(Object.keys(toldToWallets))('%s', async (name) => {
    const { changes = {}, error } = toldToWallets[name] ?? {}
    const { status, location } = await startOf(changes)
    expect(status).toBe(302)
    expect(location?.href.startsWith(`${redirectUri}?`)).toBe(true)
    const state = changes.state ?? 'wallet-state'
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({ error, iss: service.baseUrl, state })
  })
})

const shownToPeople: Record<string, Changes> = {
  'no client': { client_id: undefined },
  'no redirect URI': { redirect_uri: undefined },
  'a redirect URI that is not the registered one': {
    client_id: 'registered',
    redirect_uri: 'https://wallet.example/other',
  },
  'a request_uri that was never given': { request_uri: 'urn:ietf:params:oauth:request_uri:nothing.nothing' },
}

describe('the person gets a page without a redirect for', () => {
  beforeAll(async () => {
    const client = { name: 'Registered', clientId: 'registered', redirectUris: ['https://wallet.example/callback'] }
    expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  })
  test.each(Object.keys(shownToPeople))('%s', async (name) => {
    const { status, location, html } = await startOf(shownToPeople[name] ?? {})
    expect({ status, location }).toEqual({ status: 400, location: undefined })
    expect(html).toContain('<h1>Your wallet sent a request that is not possible</h1>')
  })

  test('a repeated parameter', async () => {
    const url = newWallet().authorizeUrl()
    url.searchParams.append('client_id', 'another')
    expect(await service.anonymous.get(url.pathname + url.search)).toMatchObject({ status: 400 })
  })
})

test('the wallet gets an error if the tenant has no provider', async () => {
  const tenant = await service.addTenant()
  await registerWallet(tenant)
  const id = await compactConfiguration(tenant)
  const authorization_details = JSON.stringify([{ type: 'openid_credential', credential_configuration_id: id }])
  const { location } = await startOf({ authorization_details }, tenant)
  expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
    error: 'server_error',
    error_description: 'No identity provider is configured',
  })
})

test('a registered wallet on loopback can choose its port', async () => {
  const client = { name: 'Loopback', clientId: 'loopback', redirectUris: ['http://127.0.0.1:1/callback'] }
  await service.operator.post('/v1/openid/clients', client)
  const allowed = await startOf({ client_id: 'loopback', redirect_uri: 'http://127.0.0.1:4711/callback' })
  expect(allowed.location?.origin).toBe(provider.url)
  const refused = await startOf({ client_id: 'loopback', redirect_uri: 'http://127.0.0.1:4711/another' })
  expect(refused).toMatchObject({ status: 400, location: undefined })
})

const refusedCodes: Record<string, { changes: Changes; error: string }> = {
  'no code': { changes: { code: undefined }, error: 'invalid_request' },
  'no code_verifier': { changes: { code_verifier: undefined }, error: 'invalid_request' },
  'another code': { changes: { code: 'nothing.nothing' }, error: 'invalid_grant' },
  'another code_verifier': { changes: { code_verifier: 'v'.repeat(43) }, error: 'invalid_grant' },
  'another redirect_uri': { changes: { redirect_uri: 'http://127.0.0.1:9/another' }, error: 'invalid_grant' },
  'no redirect_uri': { changes: { redirect_uri: undefined }, error: 'invalid_grant' },
  'another client': { changes: { client_id: 'another' }, error: 'invalid_grant' },
  'no client': { changes: { client_id: undefined }, error: 'invalid_grant' },
}

describe('the token endpoint refuses a request and keeps the code for', () => {
  test.each(Object.keys(refusedCodes))('%s', async (name) => {
    const wallet = newWallet()
    const code = (await wallet.authorize()).get('code') ?? ''
    const { changes = {}, error } = refusedCodes[name] ?? {}
    expect(await wallet.redeem(code, changes)).toMatchObject({ status: 400, body: { error } })
    expect(await wallet.redeem(code)).toMatchObject({ status: 200 })
  })
})

test('a second use of a code revokes its tokens', async () => {
  const wallet = newWallet()
  const code = (await wallet.authorize()).get('code') ?? ''
  const { body } = await wallet.redeem(code)
  expect(await collect(body, { credential_configuration_id: configurationId })).toMatchObject({ status: 200 })
  expect(await wallet.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await collect(body, { credential_configuration_id: configurationId })).toMatchObject({ status: 401 })
  expect(await wallet.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('fifty concurrent requests with one code get one token', async () => {
  const wallet = newWallet()
  const code = (await wallet.authorize()).get('code') ?? ''
  const answers = await Promise.all(Array.from({ length: 50 }, () => wallet.redeem(code)))
  expect(new Set(answers.map(({ body }) => body.access_token))).toEqual(new Set([expect.any(String)]))
  const rows = await service.deps.db.read.$count(sessions, eq(sessions.id, answers[0]?.body.access_token.split('.')[0]))
  expect(rows).toBe(1)
})

describe('a code that is bound to a key', () => {
  test.each(['dpop_jkt', 'a proof at PAR'])('by %s can be redeemed only with a proof of it', async (by) => {
    const wallet = newWallet()
    const changes =
      by === 'dpop_jkt'
        ? { dpop_jkt: await jktOf(key) }
        : await pushed(wallet.authorizeUrl(), { dpop: await proofFor(`${service.baseUrl}/v1/oauth/par`) })
    const code = (await wallet.authorize(changes)).get('code') ?? ''
    expect(await wallet.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } })
    const another = await dpopProof({ key: await newDpopKey(), url: tokenUrl() })
    expect(await wallet.redeem(code, {}, { dpop: another })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    const token = await wallet.redeem(code, {}, { dpop: await proofFor(tokenUrl()) })
    expect(token).toMatchObject({ status: 200, body: { token_type: 'DPoP', refresh_token: expect.any(String) } })
    expect(await collect(token.body, { credential_configuration_id: configurationId })).toMatchObject({ status: 200 })
  })
})

/** Pushes the parameters of an authorization address; what is left for the address itself. */
async function pushed(url: URL, headers: Record<string, string> = {}): Promise<Changes> {
  const response = await service.anonymous.post('/v1/oauth/par', new URLSearchParams(url.search), headers)
  expect(response).toMatchObject({ status: 201, body: { expires_in: 60 }, headers: { 'cache-control': 'no-store' } })
  const only = Object.fromEntries([...url.searchParams.keys()].map((name) => [name, undefined]))
  return { ...only, client_id: clientId, request_uri: response.body.request_uri }
}

describe('a pushed request', () => {
  test('works once, for its client', async () => {
    const wallet = newWallet()
    const changes = await pushed(wallet.authorizeUrl())
    expect(await startOf({ ...changes, client_id: 'another' })).toMatchObject({ status: 400 })
    expect((await wallet.authorize(changes)).get('code')).toEqual(expect.any(String))
    expect(await startOf(changes)).toMatchObject({ status: 400 })
  })

  test('gets one response, however many browsers open it and sign in', async () => {
    const wallet = newWallet()
    const changes = await pushed(wallet.authorizeUrl())
    const browsers = Array.from({ length: 5 }, newWallet)
    const ends = await Promise.all(browsers.map(({ browser }) => browser.signIn(wallet.authorizeUrl(changes))))
    const answered = ends.filter(({ url }) => url.searchParams.has('code') && url.href.startsWith(redirectUri))
    expect(answered).toHaveLength(1)
    for (const { status, html } of ends.filter((end) => !answered.includes(end))) {
      expect({ status, isPage: html.includes('<h1>') }).toEqual({ status: 400, isPage: true })
    }
  })

  test('can be opened again after a reload or a step back until the wallet has its response', async () => {
    const wallet = newWallet()
    const changes = await pushed(wallet.authorizeUrl())
    const open = () => wallet.browser.open(wallet.authorizeUrl(changes))
    expect(await open()).toMatchObject({ status: 302 })
    service.clock.advance(61_000)
    expect(await open()).toMatchObject({ status: 302 })
    // By then it is this browser's alone.
    expect(await startOf(changes)).toMatchObject({ status: 400 })
    service.clock.advance(20 * 60_000)
    const code = (await wallet.authorize(changes)).get('code') ?? ''
    const again = await open()
    expect(again).toMatchObject({ status: 400, location: undefined })
    expect(again.html).toContain('your wallet')
    expect(await startOf(changes)).toMatchObject({ status: 400, location: undefined })
    expect(await wallet.redeem(code)).toMatchObject({ status: 200 })
    service.clock.advance(-21 * 60_000 - 1000)
  })

  test('ends when the person cancels the sign-in, because the wallet gets the error', async () => {
    const wallet = newWallet()
    const changes = await pushed(wallet.authorizeUrl())
    expect((await wallet.authorize(changes, '')).get('error')).toBe('access_denied')
    expect(await wallet.browser.open(wallet.authorizeUrl(changes))).toMatchObject({ status: 400, location: undefined })
  })

  test('expires after a minute if no browser opens it', async () => {
    const changes = await pushed(newWallet().authorizeUrl())
    service.clock.advance(61_000)
    expect(await startOf(changes)).toMatchObject({ status: 400 })
    service.clock.advance(-61_000)
  })

  test('is bound to the key of dpop_jkt, or refused if the proof has another key', async () => {
    const url = newWallet().authorizeUrl({ dpop_jkt: await jktOf(await newDpopKey()) })
    const dpop = await dpopProof({ key, url: `${service.baseUrl}/v1/oauth/par`, payload: { iat: seconds() } })
    const form = new URLSearchParams(url.search)
    expect(await service.anonymous.post('/v1/oauth/par', form, { dpop })).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    })
  })

  test('of a client with required DPoP can name the key, and the token request proves it', async () => {
    const client = { name: 'Bound', clientId: 'bound', redirectUris: [redirectUri], dpopRequired: true }
    expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
    const wallet = newWallet()
    const parameters = { client_id: 'bound', dpop_jkt: await jktOf(key) }
    const changes = await pushed(wallet.authorizeUrl(parameters))
    const code = (await wallet.authorize({ ...changes, client_id: 'bound' })).get('code') ?? ''
    expect(await wallet.redeem(code, { client_id: 'bound' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    })
    const dpop = await dpopProof({ key, url: tokenUrl(), payload: { iat: seconds() } })
    expect(await wallet.redeem(code, { client_id: 'bound' }, { dpop })).toMatchObject({ status: 200 })
  })

  test.each([
    ['a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x.y' }, 'invalid_request'],
    ['no client', { client_id: undefined }, 'invalid_request'],
    ['a redirect URI of plain http', { redirect_uri: 'http://example.org/' }, 'invalid_request'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no credential', { authorization_details: undefined }, 'invalid_scope'],
  ])('is refused with %s', async (_name, changes, error) => {
    const form = new URLSearchParams(newWallet().authorizeUrl(changes as Changes).search)
    expect(await service.anonymous.post('/v1/oauth/par', form)).toMatchObject({ status: 400, body: { error } })
  })

  test('must be a POST', async () => {
    expect(await service.anonymous.get('/v1/oauth/par')).toMatchObject({ status: 405 })
  })
})

/** The service's clock, which tests have moved. */
const seconds = () => Math.floor(service.clock.now().getTime() / 1000)

test('a code expires after a minute', async () => {
  const wallet = newWallet()
  const code = (await wallet.authorize()).get('code') ?? ''
  service.clock.advance(61_000)
  expect(await wallet.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})
