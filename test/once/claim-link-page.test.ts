import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findClaimLink } from '../../db/repos/issuance/claim-links/claim-links.ts'
import { revokeClaimLinks } from '../../db/repos/issuance/claim-links/claim-links-of-bulk.ts'
import type { MadeClaimLink } from '../../db/repos/issuance/claim-links/new-claim-links.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { newLinksTenant } from '../harness/bulk-links.ts'
import { checkPage, openBrowser } from '../harness/chromium.ts'
import { newClaimLink } from '../harness/claim-links.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { readQr } from '../harness/qr.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { newWallet } from '../wallets/wallet.ts'

/** 2,000 links are a thorough check and take some minutes. */
const randomLinks = Number(process.env.RANDOM_LINKS ?? 8)

describe('the page of a claim link in a real browser', { tags: 'chromium' }, () => {
  let service: Service
  let browser: Browser
  let configurationId: string
  /** Console messages and errors of the pages, with violations of the content security policy. */
  const messages: string[] = []

  beforeAll(async () => {
    service = await startService()
    configurationId = await compactConfiguration(service, { display: [{ name: 'Student card' }] })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 320, height: 780 }, locale: 'en-NZ', ...options })
    const page = await context.newPage()
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    return page
  }
  const addressOf = ({ address }: MadeClaimLink) => service.origin + new URL(address).pathname
  const newLink = (extra?: Parameters<typeof newClaimLink>[3]) =>
    newClaimLink(service, service, [configurationId], extra)
  const press = (page: Page, name = 'Continue') => page.getByRole('button', { name }).click()
  const offerOf = async (page: Page) =>
    (await page.getByRole('link', { name: 'Add to wallet' }).getAttribute('href')) ?? ''
  const walletOf = (uri: string) => newWallet(service, service.origin, uri)
  const countOffers = () => service.deps.db.read.$count(offers, undefined)
  const stateOf = async ({ id }: MadeClaimLink) => (await findClaimLink(service.deps.db.read, service.id, id))?.state

  test('a person opens the link, the wallet collects, and the page shows it', async () => {
    const link = await newLink({ transactionCode: { description: 'In your letter' } })
    const page = await newPage()
    await page.clock.install()
    const before = await countOffers()
    for (let visit = 0; visit < 3; visit++) await page.goto(addressOf(link))
    await page.getByText('Student card').waitFor()
    await checkPage(page, 'link-ready')
    expect([await countOffers(), await stateOf(link)]).toEqual([before, 'open'])
    await press(page)
    await page.getByText('In your letter').waitFor()
    expect(page.url()).toBe(addressOf(link))
    await checkPage(page, 'link-offered')
    const uri = await offerOf(page)
    expect(readQr(await page.screenshot({ fullPage: true }))).toBe(uri)
    const wallet = await walletOf(uri)
    expect(await wallet.redeem({ tx_code: link.transactionCode ?? '' })).toMatchObject({ status: 200 })
    await page.clock.runFor(3_100)
    await page.getByRole('heading', { name: 'The offer is open in a wallet' }).waitFor()
    expect(await page.locator('#offer').count()).toBe(0)
    await checkPage(page, 'link-opened')
    expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
    await page.clock.runFor(3_100)
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    await page.reload()
    await page.getByText('The credential was collected with this link.').waitFor()
    await checkPage(page, 'link-collected')
  })

  test('an offer that expired can be made again', async () => {
    const link = await newLink()
    const page = await newPage()
    await page.clock.install()
    await page.goto(addressOf(link))
    await press(page)
    const first = await offerOf(page)
    service.clock.advance(10 * 60_000 + 1_000)
    await page.clock.runFor(10 * 60_000 + 2_000)
    await page.getByRole('heading', { name: 'Continue with your wallet' }).waitFor()
    expect(await page.locator('#offer').count()).toBe(0)
    await press(page)
    const uri = await offerOf(page)
    expect(uri).not.toBe(first)
    expect(await (await walletOf(uri)).redeem()).toMatchObject({ status: 200 })
    service.clock.advance(-10 * 60_000 - 1_000)
  })

  test('a page shows the new offer after the link was opened on another device', async () => {
    const link = await newLink()
    const [desk, phone] = [await newPage(), await newPage()]
    await desk.clock.install()
    await desk.goto(addressOf(link))
    await press(desk)
    const first = await offerOf(desk)
    await service.anonymous.post(new URL(addressOf(link)).pathname)
    await phone.goto(addressOf(link))
    const uri = await offerOf(phone)
    expect(uri).not.toBe(first)
    await desk.clock.runFor(3_100)
    await expect.poll(() => offerOf(desk)).toBe(uri)
  })

  test('a person can start again with another wallet', async () => {
    const link = await newLink()
    const page = await newPage()
    await page.goto(addressOf(link))
    await press(page)
    const lost = await walletOf(await offerOf(page))
    expect(await lost.redeem()).toMatchObject({ status: 200 })
    await page.reload()
    await press(page, 'Start again')
    expect(await (await walletOf(await offerOf(page))).collect()).toMatchObject({ status: 200 })
    expect((await lost.requestCredential()).status).toBe(401)
  })

  test('a page shows that the link was revoked', async () => {
    const link = await newLink()
    const page = await newPage()
    await page.clock.install()
    await page.goto(addressOf(link))
    await press(page)
    await offerOf(page)
    const { db, clock } = service.deps
    await db.tx((tx) => revokeClaimLinks(tx, service.id, link.bulkId, { rows: [link.row] }, clock.now()))
    await page.clock.runFor(3_100)
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    expect(await page.locator('#offer').count()).toBe(0)
    await checkPage(page, 'link-revoked')
  })

  test('the page names the end in the time zone of the reader, and in UTC without scripts', async () => {
    const link = await newLink()
    const endOn = async (options: BrowserContextOptions) => {
      const page = await newPage({ locale: 'it-IT', timezoneId: 'Asia/Kolkata', ...options })
      await page.goto(addressOf(link))
      return page.getByText('Questo link è valido fino al').textContent()
    }
    expect(await endOn({})).toMatch(/ GMT\+5:30\.$/)
    expect(await endOn({ javaScriptEnabled: false })).toMatch(/ UTC\.$/)
  })

  test('without scripts the button and the QR code work', async () => {
    const link = await newLink()
    const page = await newPage({ javaScriptEnabled: false, locale: 'de-DE' })
    await page.goto(addressOf(link))
    await press(page, 'Weiter')
    const uri = readQr(await page.screenshot({ fullPage: true })) ?? ''
    expect(await (await walletOf(uri)).collect()).toMatchObject({ status: 200 })
    await page.getByRole('link', { name: 'Stand des Angebots prüfen' }).click()
    await page.getByRole('heading', { name: 'Fertig' }).waitFor()
  })

  test('each of the links of a bulk issuance gives one credential, in any order', { timeout: 3_600_000 }, async () => {
    const { tenant, upload, inState, links } = await newLinksTenant(service)
    const id = await upload(Array.from({ length: randomLinks }, (_, at) => `${at},Person ${at}`))
    await inState(id, 'done')
    const random = seededRandom()
    const inOrder = (await links(id)).map((link) => ({ link, place: random() }))
    const context = await browser.newContext({ locale: 'en-NZ' })
    for (const { link } of inOrder.sort((left, right) => left.place - right.place)) {
      // A page becomes slow after some hundred navigations. The browser finds the tenant by the host of the address.
      const page = await context.newPage()
      await page.goto(link.link)
      await press(page)
      await offerOf(page)
      if (random() < 0.3) await page.reload()
      const wallet = await newWallet(tenant, service.origin, await offerOf(page))
      const { status, body } = await wallet.collect()
      expect([link.row, status, body.credentials.length]).toEqual([link.row, 200, 1])
      await page.close()
    }
    const counts = { open: 0, opened: 0, collected: randomLinks, expired: 0, revoked: 0 }
    await expect.poll(async () => (await inState(id, 'done')).links).toEqual(counts)
    await context.close()
  })

  test('no page had an error or violated its content security policy', () => {
    expect(messages).toEqual([])
  })
})
