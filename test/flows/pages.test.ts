import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { startComponent } from '../servers/interaction-component.ts'
import { newBrowser, startProvider, type TestProvider } from '../servers/provider.ts'
import { clientId, newAuthorizationWallet, redirectUri, registerWallet } from '../wallets/authorization-wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const newWallet = () => newAuthorizationWallet(service, service.origin, configurationId)
const isCallback = (url: URL) => url.pathname === '/v1/oauth/authentication/callback'

/** A person who has signed in at the provider and is about to return. */
async function aboutToComeBack(changes = {}) {
  const browser = newBrowser(isCallback)
  const { url } = await browser.signIn(newWallet().authorizeUrl(changes))
  return { browser, url }
}

/** The parameters of the link to the wallet. Undefined without a link. */
function wayBack(html: string): Record<string, string> | undefined {
  const [, escaped] = /<a [^>]*href="([^"]+)"/.exec(html) ?? []
  if (escaped === undefined) return undefined
  const url = new URL(escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))))
  expect(url.href.startsWith(`${redirectUri}?`)).toBe(true)
  return Object.fromEntries(url.searchParams)
}

test('a page shows the request id of the log, and no sentence twice', async () => {
  const address = `${service.origin}/v1/oauth/authentication/callback?state=x`
  const english = await fetch(address)
  const text = await english.text()
  expect(text).toContain(`<code>${english.headers.get('x-request-id')}</code>`)
  expect(text.match(/The sign-in could not be completed/g)).toHaveLength(2) // title and heading
  const german = await (await fetch(address, { headers: { 'accept-language': 'de' } })).text()
  expect(german).not.toMatch(/lang="en"|The sign-in/)
})

test('a page describes the fault of a request for support, with the words of the log', async () => {
  const { html } = await newWallet().browser.open(
    newWallet().authorizeUrl({ client_id: 'unknown', redirect_uri: 'x:y' }),
  )
  expect(html).toContain('<span lang="en">The client or its redirect_uri is not known here</span>')
})

describe('the link back to the wallet', () => {
  test('exists for a registered wallet, with error and state, after an expired sign-in', async () => {
    const { browser, url } = await aboutToComeBack()
    service.clock.advance(31 * 60_000)
    const { html } = await browser.open(url)
    expect(html).toContain('This sign-in has ended')
    const denied = { error: 'access_denied', error_description: 'The sign-in took too long or was ended' }
    expect(wayBack(html)).toEqual({ ...denied, state: 'wallet-state', iss: service.baseUrl })
  })

  test('is missing in another browser and for an invented state', async () => {
    const { browser, url } = await aboutToComeBack()
    expect(wayBack((await newBrowser(isCallback).open(url)).html)).toBeUndefined()
    const other = new URL(url)
    other.searchParams.set('state', 'made-up')
    expect(wayBack((await browser.open(other)).html)).toBeUndefined()
  })

  test('is missing after the wallet got its code', async () => {
    const { browser, url } = await aboutToComeBack()
    expect(await browser.open(url)).toMatchObject({ status: 302 })
    const { html } = await browser.open(url)
    expect(html).toContain('You have signed in')
    expect(wayBack(html)).toBeUndefined()
  })

  test('is missing for an unregistered wallet and for an unregistered redirect URI', async () => {
    const { browser, url } = await aboutToComeBack({ client_id: 'anybody' })
    service.clock.advance(31 * 60_000)
    const { html } = await browser.open(url)
    expect(html).toContain('This sign-in has ended')
    expect(wayBack(html)).toBeUndefined()
    const stranger = newWallet().authorizeUrl({ client_id: clientId, redirect_uri: 'https://evil.example/callback' })
    expect(wayBack((await newWallet().browser.open(stranger)).html)).toBeUndefined()
  })

  test('exists if the step after the sign-in failed', async () => {
    const answer = () => ({ key: randomBytes(32).toString('base64') })
    await using _component = await startComponent(service, { answer })
    const wallet = newWallet()
    const { html } = await wallet.browser.signIn(wallet.authorizeUrl())
    expect(wayBack(html)).toMatchObject({ error: 'access_denied', state: 'wallet-state' })
  })
})

test('the pages of the development provider look the same, and say what to do when a sign-in has expired', async () => {
  const wallet = newWallet()
  const browser = newBrowser((url) => url.pathname.startsWith('/sign-in/'))
  const { url } = await browser.signIn(wallet.authorizeUrl())
  const styleOf = (html: string) => /<style>(.*?)<\/style>/s.exec(html)?.[1]
  const signIn = await browser.open(url)
  const failed = await wallet.browser.open(`${service.origin}/v1/oauth/authentication/callback?state=x`)
  expect(styleOf(signIn.html)).toBe(styleOf(failed.html))
  const gone = await newBrowser(isCallback).open(url)
  expect(gone).toMatchObject({ status: 400, html: expect.stringContaining('<h1>This sign-in has ended</h1>') })
  const refused = await wallet.browser.open(`${provider.url}/auth?client_id=unknown`)
  expect(refused.html).toContain('<h1>This request to sign in is not possible</h1>')
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'")
})
