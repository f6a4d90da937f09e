import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, openBrowser } from '../harness/chromium.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { readQr } from '../harness/qr.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { newWallet } from '../wallets/wallet.ts'

/** 100 offers are a thorough check and take half a minute. */
const randomOffers = Number(process.env.RANDOM_OFFERS ?? 8)

describe('the offer page in a real browser', { tags: 'chromium' }, () => {
  let service: Service
  let browser: Browser
  let configurationIds: string[]
  const requests: URL[] = []
  /** Console messages and errors of the pages, with violations of the content security policy. */
  const messages: string[] = []

  beforeAll(async () => {
    service = await startService()
    configurationIds = await Promise.all(Array.from({ length: 20 }, () => compactConfiguration(service)))
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  const first = () => [configurationIds[0] ?? '']

  /** Opens a page in a viewport of 320 px, unless the options set another. */
  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 320, height: 780 }, locale: 'en-NZ', ...options })
    const page = await context.newPage()
    page.on('request', (request) => requests.push(new URL(request.url())))
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    return page
  }
  const addressOf = (page: string) => service.origin + new URL(page).pathname
  const linkOf = (page: Page) => page.getByRole('link', { name: 'Add to wallet' }).getAttribute('href')

  /** Makes an offer with random grant, content and size. */
  async function randomOffer(random: () => number): Promise<{ uri: string; page: string }> {
    const ids = configurationIds.filter((_, at) => random() * 20 < 20 - at)
    const credentials = ids.length > 0 ? ids : first()
    const by = random() < 0.3 ? 'reference' : 'value'
    if (random() < 0.2) return (await service.operator.post('/v1/openid/offers', { credentials, by })).body
    const description = ['Ελληνικά', '100 %', '"<&>"', 'x'.repeat(random() * 200)][Math.floor(random() * 4)]
    const transactionCodeConfiguration = random() < 0.4 ? { description } : undefined
    return newOffer(service, credentials, { by, ...(transactionCodeConfiguration && { transactionCodeConfiguration }) })
  }

  test('an independent decoder reads the QR code from a viewport of 320 px', { timeout: 300_000 }, async () => {
    const random = seededRandom()
    const page = await newPage()
    for (let count = 0; count < randomOffers; count++) {
      const offer = await randomOffer(random)
      await page.goto(addressOf(offer.page))
      await page.getByText('Use another device').click()
      const read = readQr(await page.screenshot({ fullPage: true })) ?? `nothing of ${offer.uri}`
      if (offer.uri.length <= 1_700) expect(read).toBe(offer.uri)
      else expect(read).toContain('credential_offer_uri=')
      expect(await linkOf(page)).toBe(offer.uri)
    }
  })

  test('the page follows the state of the offer and stops polling while it is hidden or the offer has ended', async () => {
    const { uri, page: address } = await newOffer(service, first())
    const page = await newPage()
    await page.clock.install()
    await page.goto(addressOf(address))
    await checkPage(page, 'offered')
    const wallet = await newWallet(service, service.origin, uri)
    await wallet.redeem()
    await page.clock.runFor(3_100)
    await page.getByRole('heading', { name: 'The offer is open in a wallet' }).waitFor()
    expect(await page.locator('#offer').count()).toBe(0)
    await checkPage(page, 'opened')

    // Counts requests of this page. Pages of other tests can still be open.
    const state = `${new URL(address).pathname}/state`
    const countPolls = () => requests.filter(({ pathname }) => pathname === state).length
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { get: () => globalThis.isHidden, configurable: true })`,
    )
    const see = (isHidden: boolean) =>
      page.evaluate(`globalThis.isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`)
    await see(true)
    const before = countPolls()
    await wallet.requestCredential()
    await page.clock.runFor(120_000)
    expect(countPolls()).toBe(before)
    await see(false)
    await page.clock.runFor(100)
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const atTheEnd = countPolls()
    await page.clock.runFor(120_000)
    expect(countPolls()).toBe(atTheEnd)
  })

  test('the page counts down by the clock of the service until the offer expires', async () => {
    const { page: address } = await newOffer(service, first(), { expiresIn: { seconds: 90 } })
    const page = await newPage()
    // The clock of this device is a year behind.
    await page.clock.install({ time: Date.now() - 365 * 86_400_000 })
    await page.goto(addressOf(address))
    await page.clock.runFor(20_000)
    expect(await page.locator('time[data-left]').textContent()).toMatch(/^(1:(0\d|10)|0:[2-5]\d)$/)
    service.clock.advance(91_000)
    await page.clock.runFor(75_000)
    await page.getByRole('heading', { name: 'This offer has expired' }).waitFor()
    await checkPage(page, 'expired')
  })

  test('the page shows that the offer was withdrawn', async () => {
    const { id, page: address } = await newOffer(service, first())
    const page = await newPage()
    await page.clock.install()
    await page.goto(addressOf(address))
    await service.operator.delete(`/v1/openid/offers/pre-authorized/${id}`)
    await page.clock.runFor(3_100)
    await page.getByRole('heading', { name: 'This offer was withdrawn' }).waitFor()
    expect(await page.locator('#offer').count()).toBe(0)
  })

  test('the button tries the Digital Credentials API, and opens the link after a refusal', async () => {
    const { uri, page: address } = await newOffer(service, first())
    const page = await newPage()
    await page.addInitScript(`
      globalThis.DigitalCredential ??= class {}
      navigator.credentials.create = async (options) => { globalThis.created = options; if (globalThis.refuses) throw new Error() }
    `)
    await page.goto(addressOf(address))
    await page.evaluate(`globalThis.opened = []
      document.addEventListener('click', (event) => {
        if (!event.defaultPrevented) globalThis.opened.push(event.target.href)
        event.preventDefault()
      })`)
    const press = () => page.getByRole('link', { name: 'Add to wallet' }).click()
    await press()
    const data = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '')
    expect(await page.evaluate('globalThis.created')).toEqual({
      digital: { requests: [{ protocol: 'openid4vci-v1', data }] },
    })
    expect(await page.evaluate('globalThis.opened')).toEqual([])
    await page.evaluate('globalThis.refuses = true; globalThis.created = undefined')
    await press()
    await page.getByRole('alert').waitFor()
    expect(await page.evaluate('globalThis.opened')).toEqual([uri])
    await page.evaluate('globalThis.created = undefined')
    await press()
    expect(await page.evaluate('[globalThis.created, globalThis.opened]')).toEqual([undefined, [uri, uri]])
    await checkPage(page, 'refused')
  })

  test('on a phone the button is first, and the code is behind "Use another device"', async () => {
    const walletLinks = [{ name: 'Example Wallet', url: 'https://wallet.example/get' }]
    await service.platform.put(`/v1/tenants/${service.id}`, { name: 'Office', branding: { walletLinks } })
    const { uri, page: address } = await newOffer(service, first())
    const page = await newPage({ viewport: { width: 390, height: 700 } })
    await page.goto(addressOf(address))
    const code = page.getByRole('img', { name: 'QR code of the offer' })
    expect(await code.isVisible()).toBe(false)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add to wallet')
    await page.getByText('No wallet yet?').press('Enter')
    const app = page.getByRole('link', { name: 'Example Wallet' })
    expect(await app.getAttribute('href')).toBe('https://wallet.example/get')
    await checkPage(page, 'phone')
    // checkPage ends at the width of a desk, where the code is always visible.
    await expect.poll(() => code.isVisible()).toBe(true)
    await page.setViewportSize({ width: 390, height: 700 })
    await expect.poll(() => code.isVisible()).toBe(false)
    await page.getByText('Use another device').press('Enter')
    expect(readQr(await page.screenshot({ fullPage: true }))).toBe(uri)
    await page.getByText('Use another device').press('Enter')
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => code.isVisible()).toBe(true)
    await service.platform.put(`/v1/tenants/${service.id}`, { name: 'Office', branding: {} })
  })

  test('without scripts the page shows QR code and link, and the next visit shows the state of the offer', async () => {
    const { uri, page: address } = await newOffer(service, first())
    const page = await newPage({ javaScriptEnabled: false })
    await page.goto(addressOf(address))
    expect(readQr(await page.screenshot({ fullPage: true }))).toBe(uri)
    expect(await linkOf(page)).toBe(uri)
    expect(await page.getByRole('button').count()).toBe(0)
    const wallet = await newWallet(service, service.origin, uri)
    await wallet.redeem()
    await page.getByRole('link', { name: 'Check the status of the offer' }).click()
    await page.getByRole('heading', { name: 'The offer is open in a wallet' }).waitFor()
  })

  test('a page with all content is accessible, has the colours of the tenant and can be printed', async () => {
    const branding = { backgroundColor: '#fdf3e1', accentColor: '#a33b20' }
    const host = `localhost:${new URL(service.origin).port}`
    const tenant = await service.addTenant({
      name: 'Hochschule für angewandte Wissenschaften',
      branding,
      aliases: [host],
    })
    const displays = [
      {
        name: 'Studierendenausweis',
        description: 'Wintersemester 2026/27',
        backgroundColor: '#0b3d2e',
        textColor: '#f2e9d0',
      },
      { name: 'Bibliotheksausweis', backgroundColor: '#ffffff', textColor: '#fafafa' },
      { name: 'Semesterticket' },
    ]
    const ids = await Promise.all(displays.map((display) => compactConfiguration(tenant, { display: [display] })))
    const { page: address } = await newOffer(tenant, ids, {
      transactionCodeConfiguration: { description: 'Der Code steht in dem Brief, den Sie bekommen haben.' },
    })
    const page = await newPage({ locale: 'de-DE' })
    await page.goto(`http://${host}${new URL(address).pathname}`)
    await checkPage(page, 'branded')
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('link').count()).toBe(0)
    expect(await page.getByText('Gültig bis').isVisible()).toBe(true)
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/print.png`, fullPage: true })
  })

  test('the page shows markup in any field as text', async () => {
    const markup = '"><script>x()</script><img src=x onerror=x()>'
    await service.platform.put(`/v1/tenants/${service.id}`, {
      name: markup,
      branding: { names: [{ name: markup, locale: 'en' }] },
    })
    const display = [{ name: markup, description: markup, locale: 'en' }]
    const transactionCodeConfiguration = { description: markup }
    const id = await compactConfiguration(service, { display })
    const { page: address } = await newOffer(service, [id], { transactionCodeConfiguration })
    const page = await newPage()
    await page.goto(addressOf(address))
    const count = (await page.locator('body').innerText()).split(markup).length - 1
    expect(count).toBeGreaterThanOrEqual(4)
    expect(await page.locator('img[src=x], main script').count()).toBe(0)
  })

  test('the pages send no request to another host and report no error', () => {
    // One test withdrew an offer while its page was open.
    expect(messages.filter((text) => !text.includes('404'))).toEqual([])
    const { port } = new URL(service.origin)
    const hosts = requests.filter(({ protocol }) => protocol !== 'data:').map(({ host }) => host)
    expect([...new Set(hosts)].sort()).toEqual([`127.0.0.1:${port}`, `localhost:${port}`])
  })
})
