import { createServer, type Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, openBrowser } from '../harness/chromium.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { ada, runProvider, startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet } from '../wallets/authorization-wallet.ts'

describe('in a real browser with the viewport of a phone', { tags: 'chromium' }, () => {
  let service: Service
  let provider: TestProvider
  let configurationId: string
  let wallet: Server
  let walletUrl = ''
  let browser: Browser

  beforeAll(async () => {
    service = await startService()
    provider = await startProvider(service)
    configurationId = await compactConfiguration(service)
    await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
    wallet = createServer((_request, response) => response.end('wallet'))
    await new Promise<void>((resolve) => wallet.listen(0, '127.0.0.1', resolve))
    const address = wallet.address()
    walletUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/callback`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    wallet?.close()
    await provider?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })

  const authorizeUrl = (clientId = 'any') =>
    newAuthorizationWallet(service, service.origin, configurationId).authorizeUrl({
      client_id: clientId,
      redirect_uri: walletUrl,
    }).href

  async function open(url: string, locale = 'en-NZ'): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 360, height: 780 }, locale })
    const page = await context.newPage()
    await page.goto(url)
    return page
  }

  test('a user signs in and returns to the wallet with a code', async () => {
    const page = await open(authorizeUrl())
    await checkPage(page, 'sign-in')
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.waitForURL(`${walletUrl}?**`)
    expect(new URL(page.url()).searchParams.get('code')).toEqual(expect.any(String))
  })

  test('a user reviews what will be issued, goes back to the review, and returns to the wallet with a code', async () => {
    const tenant = `/v1/tenants/${service.id}`
    await service.platform.put(tenant, { publicClients: true, reviewBeforeSignIn: true })
    const page = await open(authorizeUrl())
    await checkPage(page, 'sign-in-review')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Continue' }).dblclick()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.waitForURL(`${walletUrl}?**`)
    expect(new URL(page.url()).searchParams.get('code')).toEqual(expect.any(String))
    const other = await open(authorizeUrl(), 'de-DE')
    await checkPage(other, 'sign-in-review-german')
    await other.getByRole('button', { name: 'Abbrechen' }).click()
    await other.waitForURL(`${walletUrl}?**`)
    expect(new URL(other.url()).searchParams.get('error')).toBe('access_denied')
    await service.platform.put(tenant, { publicClients: true, reviewBeforeSignIn: null })
  })

  test('a user whose sign-in expired returns to the wallet with an error', async () => {
    const registered = { name: 'Wallet', clientId: 'registered', redirectUris: [walletUrl] }
    expect(await service.operator.post('/v1/openid/clients', registered)).toMatchObject({ status: 201 })
    const page = await open(authorizeUrl('registered'))
    service.clock.advance(31 * 60_000)
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('heading', { name: 'This sign-in has ended' }).waitFor()
    await checkPage(page, 'ended')
    await page.getByRole('link', { name: 'Back to the wallet' }).click()
    await page.waitForURL(`${walletUrl}?**`)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  test('a request of an unknown wallet shows an error page and does not redirect', async () => {
    const page = await open(authorizeUrl('registered').replace('callback', 'elsewhere'))
    await checkPage(page, 'unknown-wallet')
  })

  test('a user who cancels returns to the wallet with an error', async () => {
    const page = await open(authorizeUrl())
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(`${walletUrl}?**`)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  test.each([
    ['en-NZ', 'The sign-in could not be completed'],
    ['de-DE', 'Die Anmeldung konnte nicht abgeschlossen werden'],
  ])('a callback that belongs to another browser shows an accessible error page in %s', async (locale, title) => {
    const page = await open(`${service.origin}/v1/oauth/authentication/callback?state=x`, locale)
    await checkPage(page, `failed-${locale}`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
    expect(await page.getByRole('main').count()).toBe(1)
    expect(await page.title()).toContain(title)
    expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2))
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('grid')
    expect(await page.locator('script').count()).toBe(0)
  })

  test('a manager signs in at the console through a provider, and each console address receives the session', async () => {
    // The console is another site than the provider. A redirect from there does not send the `Strict` cookies of the
    // console.
    const { body: tenant } = await service.platform.get(`/v1/tenants/${service.id}`)
    const console = `http://${tenant.subdomain}.${service.deps.config.platformDomain}/console`
    await using login = await runProvider({
      redirectUris: [`${console}/session/callback`],
      users: [ada],
    })
    const { url: issuer, clientId, clientSecret } = login
    const settings = {
      ...{ name: 'Login', issuer, clientId, clientSecret, claim: 'email' },
      scope: ['openid', 'profile', 'email'],
    }
    const roles = [{ value: ada.claims.email, roles: ['issuer'] }]
    await service.operator.put('/v1/sign-in-provider', { ...settings, roles })
    const page = await open(`${console}/session/provider`)
    const begin = (path: string) => `fetch('/console/session/provider', {
      method: 'POST', headers: { 'x-console': '1', 'content-type': 'application/json' }, body: JSON.stringify({ return: '${path}' })
    }).then((answer) => answer.json()).then(({ url }) => location.assign(url))`
    await page.evaluate(begin('/console/session/provider?back#there'))
    const request = page.waitForRequest(`${console}/session/provider?back`)
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    // The browser sends the session cookie only for same-site requests. The intermediate page has navigated by itself.
    expect((await (await request).allHeaders()).cookie).toMatch(/^console=/)
    await page.waitForURL(`${console}/session/provider?back#there`)
    const who = "fetch('/console/session', { headers: { 'x-console': '1' } }).then((answer) => answer.json())"
    expect(await page.evaluate(who)).toMatchObject({ managementUserId: 'ada', roles: ['issuer'] })

    await page.evaluate(begin('/console/'))
    await page.waitForURL(`${console}/`)
    await service.operator.put('/v1/sign-in-provider', { ...settings, roles: [{ value: 'others', roles: ['issuer'] }] })
    await page.goto(`${console}/session/provider`)
    await page.evaluate(begin('/console/'))
    await page.waitForURL(`${console}/#error=no_role`)
  })
})
