import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newIaca } from '../certificates/hierarchy.ts'
import {
  compactConfiguration,
  mdlClaims,
  mdlConfiguration,
  newOffer,
  sdJwtConfiguration,
  webConfiguration,
} from '../harness/factories.ts'
import { startProvider } from '../servers/provider.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

/** Records how keys are made. */
const watchKeys = `
  globalThis.isExtractable = []
  const plain = crypto.subtle.generateKey
  crypto.subtle.generateKey = function (...given) {
    isExtractable.push(given[1])
    return plain.apply(this, given)
  }
`

describe('the test wallet', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
    await newIaca(opened.service)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const readOffer = async (page: Page, offer: string) => {
    const again = page.getByRole('button', { name: 'Another offer' })
    if (await again.isVisible()) await again.click()
    await page.getByLabel('Offer', { exact: true }).fill(offer)
    await page.getByRole('button', { name: 'Read the offer' }).press('Enter')
  }
  const collect = async (page: Page, offer: string) => {
    await readOffer(page, offer)
    await page.getByRole('button', { name: 'Collect' }).press('Enter')
    await page.getByRole('heading', { name: 'Collected credential' }).waitFor()
  }

  test('collects an offer with a transaction code, and shows the credential, its status and the messages', async () => {
    const { service, open, faults } = opened
    const id = await compactConfiguration(service, { revocable: true, display: [{ name: canary }] })
    const offer = await newOffer(service, [id], {
      claims: { given_name: canary },
      transactionCodeConfiguration: { description: canary },
    })
    const page = await open('/', { roles: ['issuer'] })
    await page.addInitScript(watchKeys)
    await page.goto(`${service.origin}/console/wallet`)
    await readOffer(page, 'Hello')
    await page.getByText('This text is not an offer.').waitFor()
    await checkInBothLanguages(page, 'wallet')
    await readOffer(page, offer.page)
    await page.getByLabel('Transaction code').fill('0000')
    await page.getByRole('button', { name: 'Collect' }).click()
    await page.locator('.fault').getByText('token was refused: invalid_grant').waitFor()
    await checkInBothLanguages(page, 'wallet-offer')
    await page.getByLabel('Transaction code').fill(offer.transactionCode ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Collected credential' }).waitFor()
    await page.locator('.json').getByText(canary.slice(2)).first().waitFor()
    expect(await page.evaluate('isExtractable')).toEqual([false])

    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Read the status' }).click()
        return page.getByText('valid', { exact: true }).isVisible()
      })
      .toBe(true)
    const messages = await page.locator('.exchanges summary').allInnerTexts()
    expect(messages.map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
      '200 GET /.well-known/openid-credential-issuer',
      '200 GET /.well-known/oauth-authorization-server',
      '400 POST /v1/oauth/token',
      '200 POST /v1/oauth/token',
      '200 POST /v1/openid/nonce',
      '200 POST /v1/openid/credential',
      '204 POST /v1/openid/notification',
    ])
    await page.locator('.exchanges summary').nth(5).click()
    await page.getByText('"credential_configuration_id"').first().waitFor()
    await checkInBothLanguages(page, 'wallet-collected')
    const { body } = await service.operator.get(`/v1/openid/offers/${offer.id}/details`)
    expect(body.state).toMatch(/^(claimed|collected)$/)
    expect(faults).toEqual([])
  })

  test('decodes an SD-JWT VC, a mobile and a web semantic credential, and refuses foreign offers', async () => {
    const { service, open, faults } = opened
    const claims = { given_name: 'Ada', city: 'Bern', degrees: [{ type: 'MSc' }] }
    const sdJwt = await newOffer(service, [await sdJwtConfiguration(service, { includeStatus: true })], { claims })
    const mobile = await newOffer(service, [await mdlConfiguration(service, { includeStatus: true })], {
      claims: mdlClaims,
    })
    const web = await newOffer(service, [await webConfiguration(service)])
    const page = await open(`/offers/${sdJwt.id}`, { roles: ['issuer'] })
    await page.getByRole('main').getByRole('link', { name: 'Test wallet' }).press('Enter')
    await page.getByRole('button', { name: 'Collect' }).press('Enter')
    await page.getByRole('heading', { name: 'Collected credential' }).waitFor()
    await page.getByText('"vct": "urn:example:student-card"').first().waitFor()
    await page.locator('.json').nth(1).getByText('"Bern"').waitFor()
    await collect(page, mobile.uri)
    await page.getByText('"org.iso.18013.5.1": {').first().waitFor()
    await page.getByText('"family_name"').first().waitFor()
    await checkInBothLanguages(page, 'wallet-mobile')
    await collect(page, web.uri)
    await page.getByText('"VerifiableCredential"').first().waitFor()
    const foreign = { credential_issuer: 'https://other.example', credential_configuration_ids: ['a'], grants: {} }
    await readOffer(page, `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(foreign))}`)
    await page.getByText('The offer is of another issuer: https://other.example').waitFor()
    expect(faults).toEqual([])
  })

  test('collects an offer of a view at the addresses of the view', async () => {
    const { service, open, faults } = opened
    const configuration = await webConfiguration(service)
    const content = { name: 'View', path: 'wallet', profile: 'standard', configurations: { ids: [configuration] } }
    const { id: view } = (await service.operator.post('/v1/views', content)).body
    const page = await open('/wallet', { roles: ['issuer'] })
    await collect(page, (await newOffer(service, [configuration], { view })).uri)
    await page.getByText('"VerifiableCredential"').first().waitFor()
    expect((await service.operator.get('/v2/credentials/issued')).body.data.at(-1)).toMatchObject({ view })
    expect(faults).toEqual([])
  })

  test('a holder signs in in another tab, and the wallet collects the credential', async () => {
    const { service, open, faults } = opened
    await using _provider = await startProvider(service)
    const { body } = await service.operator.post('/v1/openid/offers', {
      credentials: [await compactConfiguration(service)],
    })
    const page = await open('/wallet', { roles: ['issuer'] })
    await readOffer(page, body.uri)
    await page.getByRole('button', { name: 'Prepare the sign-in' }).press('Enter')
    const link = page.getByRole('link', { name: 'Sign in in a new tab' })
    await link.waitFor()
    await checkInBothLanguages(page, 'wallet-sign-in')
    // The sign-in of another tab with the wallet.
    await page.evaluate(
      `new BroadcastChannel('console-test-wallet').postMessage({ state: 'of another', code: 'other' })`,
    )
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.getByRole('button', { name: 'Ada Lovelace' }).click()
    await tab.getByText('Close this tab. The wallet continues').waitFor()
    await page.getByRole('heading', { name: 'Collected credential' }).waitFor()
    await page.locator('.json').getByText('"Ada"').waitFor()
    expect((await service.operator.get('/v1/openid/clients')).body.data).toMatchObject([{ name: 'Test wallet' }])
    expect(faults).toEqual([])
  })

  test('the menu and the address have no wallet in production without the setting', async () => {
    const { service, open, faults } = opened
    const { headers } = await service.anonymous.get('/console/wallet')
    expect(headers['content-security-policy']).toMatch(/^default-src 'self'; object-src 'none'/)
    expect(headers['access-control-allow-origin']).toBeUndefined()
    Object.assign(service.deps.config, { production: true })
    try {
      const page = await open('/wallet', { locale: 'de-DE' })
      await page.getByText('Die Test-Wallet ist auf diesem Host ausgeschaltet.').waitFor()
      expect(await page.getByRole('navigation').getByText('Test-Wallet').count()).toBe(0)
      await service.platform.put(`/v1/tenants/${service.id}`, { testWallet: true })
      await page.reload()
      await page.getByLabel('Angebot', { exact: true }).waitFor()
    } finally {
      Object.assign(service.deps.config, { production: false })
    }
    expect(faults).toEqual([])
  })
})
