import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { providersCache } from '../../api/relying-party/discover.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { type Lie, type LyingProvider, startLyingProvider } from '../servers/lying-provider.ts'
import { type Browser, newBrowser, startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, redirectUri, registerWallet } from '../wallets/authorization-wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service, {
    staticRequestParameters: { ui_locales: 'mi', max_age: 600 },
    forwardedRequestParameters: ['login_hint'],
  })
  configurationId = await compactConfiguration(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const newWallet = (tenant: TestTenant = service, id = configurationId) =>
  newAuthorizationWallet(tenant, service.origin, id)
const isCallback = (url: URL) => url.pathname === '/v1/oauth/authentication/callback'
const callback = (parameters: Record<string, string>) =>
  `${service.origin}/v1/oauth/authentication/callback?${new URLSearchParams(parameters)}`

/** A person who has signed in at the provider and is about to return. */
async function aboutToComeBack(user = 'ada') {
  const wallet = newWallet()
  const browser = newBrowser(isCallback)
  const { url } = await browser.signIn(wallet.authorizeUrl(), user)
  return { wallet, browser, url }
}

/** The final response to the wallet. */
async function callbackParameters(browser: Browser, url: URL | string): Promise<Record<string, string>> {
  const { status, location } = await browser.open(url)
  expect(status).toBe(302)
  expect(location?.href.startsWith(`${redirectUri}?`)).toBe(true)
  return Object.fromEntries(location?.searchParams ?? [])
}

async function expectPage(browser: Browser, url: URL | string, title: string): Promise<void> {
  const { status, location, html, headers } = await browser.open(url)
  expect({ status, location }).toEqual({ status: 400, location: undefined })
  expect(html).toContain(`<h1>${title}</h1>`)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(html).not.toMatch(/<script|onload|javascript:/i)
}

const failed = 'The sign-in could not be completed'
const ended = 'This sign-in has ended'

test('the provider gets the static parameters and the forwarded parameters of the request', async () => {
  const wallet = newWallet()
  const { location } = await wallet.browser.open(wallet.authorizeUrl({ login_hint: 'ada', display: 'popup' }))
  expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
    ui_locales: 'mi',
    max_age: '600',
    login_hint: 'ada',
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${service.baseUrl}/v1/oauth/authentication/callback`,
  })
  expect(location?.searchParams.has('display')).toBe(false)
})

test('two concurrent sign-ins of one person create one user, and its claims are stored', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => aboutToComeBack('grace')))
  const answers = await Promise.all(people.map(({ browser, url }) => callbackParameters(browser, url)))
  expect(answers.every(({ code }) => code)).toBe(true)
  const { body } = await service.operator.post('/v1/users/search', { authenticationProvider: { subjectId: 'grace' } })
  expect(body.data).toHaveLength(1)
  expect(body.data[0].claims).toEqual({ given_name: 'Grace', family_name: 'Hopper' })
})

test('the wallet gets an error if the person cancels', async () => {
  const wallet = newWallet()
  const { url } = await wallet.browser.signIn(wallet.authorizeUrl(), '')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: 'access_denied', state: 'wallet-state' })
})

describe('a person gets no code who', () => {
  test('returns twice', async () => {
    const { browser, url } = await aboutToComeBack()
    expect(await callbackParameters(browser, url)).toMatchObject({ code: expect.any(String) })
    await expectPage(browser, url, 'You have signed in')
  })

  test('returns in another browser', async () => {
    const { browser, url } = await aboutToComeBack()
    await expectPage(newBrowser(isCallback), url, failed)
    const another = await aboutToComeBack('grace')
    await expectPage(another.browser, url, failed)
    expect(await callbackParameters(browser, url)).toMatchObject({ code: expect.any(String) })
  })

  test('returns to another tenant', async () => {
    const { browser, url } = await aboutToComeBack()
    const tenant = await service.addTenant()
    const cookie = 'authorization-x=y'
    const elsewhere = await tenant.anonymous.get(url.pathname + url.search, { cookie })
    expect(elsewhere).toMatchObject({ status: 400 })
    expect(await callbackParameters(browser, url)).toMatchObject({ code: expect.any(String) })
  })

  test('returns with an invented state or without one', async () => {
    const { browser, url } = await aboutToComeBack()
    const id = url.searchParams.get('state')?.split('.')[0] ?? ''
    await expectPage(browser, callback({ code: 'x', state: `${id}.made-up` }), failed)
    await expectPage(browser, callback({ code: 'x', state: 'made-up' }), failed)
    await expectPage(browser, callback({ code: 'x' }), failed)
  })

  test('takes longer than half an hour', async () => {
    const { browser, url } = await aboutToComeBack()
    service.clock.advance(31 * 60_000)
    await expectPage(browser, url, ended)
  })

  test('returns with a code that the provider does not know', async () => {
    const { browser, url } = await aboutToComeBack()
    url.searchParams.set('code', 'made-up')
    expect(await callbackParameters(browser, url)).toMatchObject({ error: 'server_error', state: 'wallet-state' })
    await expectPage(browser, url, ended)
  })

  test('returns with the code of another person', async () => {
    const mine = await aboutToComeBack()
    const theirs = await aboutToComeBack('grace')
    mine.url.searchParams.set('code', theirs.url.searchParams.get('code') ?? '')
    expect(await callbackParameters(mine.browser, mine.url)).toMatchObject({ error: 'server_error' })
  })
})

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

describe('a provider is not accepted', () => {
  let liar: LyingProvider
  let tenant: TestTenant
  let ownId: string
  beforeAll(async () => {
    tenant = await service.addTenant({ publicClients: true, aliases: ['liar.test'] })
    liar = await startLyingProvider(tenant)
    ownId = await compactConfiguration(tenant)
    const path = '/v1/users/authentication-providers'
    const { id, ...provider } = (await tenant.operator.get(path)).body.data[0]
    const changed = { ...provider, claimsToPersist: ['given_name'] }
    expect(await tenant.operator.put(`${path}/${id}`, changed)).toMatchObject({ status: 200 })
  })
  afterEach(() => {
    liar.lie = {}
  })
  afterAll(() => liar[Symbol.asyncDispose]())

  /** The whole sign-in, with the tenant's host in a header, because it has no name here. */
  async function signIn(): Promise<URLSearchParams> {
    const wallet = newWallet(tenant, ownId)
    const start = wallet.authorizeUrl()
    const first = await tenant.anonymous.get(start.pathname + start.search)
    const provided = await fetch(String(first.headers.location), { redirect: 'manual' })
    const back = new URL(provided.headers.get('location') ?? '')
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
    const last = await tenant.anonymous.get(back.pathname + back.search, { cookie })
    expect(last.status).toBe(302)
    return new URL(String(last.headers.location)).searchParams
  }

  test('unless its whole response is valid', async () => {
    expect((await signIn()).get('code')).toEqual(expect.any(String))
  })

  test.each([
    ['64 levels', { given_name: nested(64) }],
    ['other levels, which are not stored', { nested: nested(3000), other: 'E\0ve' }],
    ['a subject of 500 characters', { sub: 'e'.repeat(500) }],
  ])('unless its claims can be stored: %s', async (_what, claims) => {
    liar.lie = { claims }
    expect((await signIn()).get('code')).toEqual(expect.any(String))
  })

  const now = () => Math.floor(Date.now() / 1000)
  const lies: Record<string, () => Lie> = {
    'another issuer': () => ({ claims: { iss: 'https://example.org' } }),
    'another audience': () => ({ claims: { aud: 'someone-else' } }),
    'no subject': () => ({ claims: { sub: undefined } }),
    'another nonce': () => ({ claims: { nonce: 'another' } }),
    'no nonce': () => ({ claims: { nonce: undefined } }),
    'an expired id token': () => ({ claims: { exp: now() - 600, iat: now() - 900 } }),
    'a signature of a foreign key': () => ({ foreignKey: true }),
    'an unknown key': () => ({ header: { kid: 'two' }, foreignKey: true }),
    'no id token': () => ({ body: JSON.stringify({ access_token: 'a', token_type: 'Bearer' }) }),
    'no JSON': () => ({ body: '<html>' }),
    'an error': () => ({ body: JSON.stringify({ error: 'invalid_grant' }), status: 400 }),
    'a failure': () => ({ body: '', status: 500 }),
    'an empty subject': () => ({ claims: { sub: '' } }),
    'a subject with U+0000': () => ({ claims: { sub: 'e\0ve' } }),
    'a subject with half a character': () => ({ claims: { sub: 'eve\ud800' } }),
    'a subject of 501 characters': () => ({ claims: { sub: 'e'.repeat(501) } }),
    'a claim with U+0000': () => ({ claims: { given_name: ['E\0ve'] } }),
    'a claim with half a character': () => ({ claims: { given_name: { first: 'Eve\udc00' } } }),
    'a member with U+0000': () => ({ claims: { given_name: { 'a\0b': 'Eve' } } }),
    'a member that is the name of a prototype': () => ({ claims: { given_name: JSON.parse('{"__proto__":1}') } }),
    'a claim of 65 levels': () => ({ claims: { given_name: nested(65) } }),
    'a claim of 3000 levels': () => ({ claims: { given_name: nested(3000) } }),
    'more than anybody reads': () => ({ body: JSON.stringify({ pad: 'x'.repeat(600_000) }) }),
  }
  test.each(Object.keys(lies))('with %s', async (name) => {
    liar.lie = lies[name]?.() ?? {}
    const answer = await signIn()
    expect(Object.fromEntries(answer)).toMatchObject({ error: 'server_error', iss: tenant.baseUrl })
    expect(answer.has('code')).toBe(false)
  })

  test('without its discovery document, which concurrent sign-ins fetch once, and again after a failure', async () => {
    const wallet = newWallet(tenant, ownId)
    const startFive = async () => {
      const { pathname, search } = wallet.authorizeUrl()
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => tenant.anonymous.get(pathname + search)))
      return answers.map(({ status, headers }) =>
        status === 302 ? new URL(String(headers.location)).pathname : status,
      )
    }
    service.deps.caches.of(providersCache).clear()
    liar.lie = { discoveryStatus: 500 }
    expect(new Set(await startFive())).toEqual(new Set([400]))
    liar.lie = {}
    liar.discoveries = 0
    expect(new Set(await startFive())).toEqual(new Set(['/authorize']))
    expect(liar.discoveries).toBe(1)
    expect((await signIn()).get('code')).toEqual(expect.any(String))
    expect(liar.discoveries).toBe(1)
  })

  test('when it is unreachable', async () => {
    const tenant = await service.addTenant()
    await registerWallet(tenant)
    const settings = { url: 'http://127.0.0.1:9', scope: ['openid'], clientId: 'c', clientSecret: 's' }
    await tenant.operator.post('/v1/users/authentication-providers', settings)
    const start = newWallet(tenant, await compactConfiguration(tenant)).authorizeUrl()
    const { headers } = await tenant.anonymous.get(start.pathname + start.search)
    expect(new URL(String(headers.location)).searchParams.get('error')).toBe('server_error')
  })
})

describe('the pages that a person sees', () => {
  test.each([
    ['de-CH, en;q=0.5', 'de', 'Die Anmeldung konnte nicht abgeschlossen werden'],
    ['fr', 'fr', 'La connexion n’a pas pu aboutir'],
    ['es-MX', 'es', 'No se pudo completar el inicio de sesión'],
    ['it-CH', 'it', 'Non è stato possibile completare l’accesso'],
    ['mi', 'en', failed],
  ])('are in the language of %s', async (accepted, language, title) => {
    const response = await fetch(callback({ state: 'x' }), { headers: { 'accept-language': accepted } })
    const html = await response.text()
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(response.headers.get('vary')).toBe('Accept-Language, Accept')
  })

  test('are JSON or text for callers that prefer these', async () => {
    const wrong = newWallet().authorizeUrl({ client_id: 'unknown', redirect_uri: 'x:y' })
    const expired = new URL(callback({ state: 'x' }))
    const ask = async ({ pathname, search }: URL, accept?: string) => {
      const { status, headers, body } = await service.anonymous.get(pathname + search, accept ? { accept } : {})
      return { status, type: String(headers['content-type']).split(';')[0], vary: headers.vary, body }
    }
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    for (const url of [wrong, expired]) {
      for (const accept of [undefined, '*/*', browser, 'application/json;q=0.1, text/html', 'image/png'])
        expect(await ask(url, accept)).toMatchObject({
          status: 400,
          type: 'text/html',
          vary: 'Accept-Language, Accept',
        })
      const json = { status: 400, type: 'application/json', vary: 'Accept' }
      const error = { error: 'invalid_request', error_description: 'The client or its redirect_uri is not known here' }
      const failure = { code: 'SignInFailed', message: expect.any(String) }
      for (const accept of ['application/json', 'application/json, text/plain, */*'])
        expect(await ask(url, accept)).toMatchObject({ ...json, body: url === wrong ? error : failure })
      const text = await ask(url, 'text/plain')
      expect(text).toMatchObject({ status: 400, type: 'text/plain', vary: 'Accept' })
      expect(text.body).toMatch(url === wrong ? /^invalid_request: The client / : /^SignInFailed: /)
    }
    const repeated = await service.anonymous.get('/v1/oauth/authorize?state=1&state=2', { accept: 'application/json' })
    expect(repeated).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('have the branding of the tenant and load nothing from other hosts', async () => {
    const branding = {
      logoUrl: 'https://logos.example/a.png?x="><script>',
      backgroundColor: '#102030',
      accentColor: '#abcdef',
    }
    const tenant = await service.addTenant({ branding })
    const { headers, body } = await tenant.anonymous.get('/v1/oauth/authentication/callback?state=x')
    expect(body).toContain('--page:#102030;--accent:#abcdef;--on-accent:#000000')
    expect(body).not.toContain('<script>')
    expect(body).toContain('<img src="/o/logos/')
    expect(body).not.toContain('logos.example')
    expect(String(headers['content-security-policy'])).toContain("img-src 'self' data:;")
    const wrong = { name: 'x', subdomain: 'wrong', branding: { logoUrl: 'javascript:alert(1)', accentColor: 'red;}' } }
    const refused = await service.platform.post('/v1/tenants', wrong)
    expect(refused.body.details.map(({ param }: { param: string }) => param).sort()).toEqual([
      'branding.accentColor',
      'branding.logoUrl',
    ])
  })
})
