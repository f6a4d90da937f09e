import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activeIaca, compactConfiguration, mdlConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { readQr } from '../harness/qr.ts'
import { newWallet, readOffer } from '../wallets/wallet.ts'
import { type Console, checkInBothLanguages, checkScreen, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('offers', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('the list filters offers by state and configuration, and its address keeps the filter', async () => {
    const { service, open, faults } = opened
    const page = await open('/offers')
    await page.getByText('No offer yet').waitFor()
    const other = await webConfiguration(service, { name: canary })
    await newOffer(service, [await compactConfiguration(service), other])
    await page.reload()
    await page.getByRole('cell', { name: 'open' }).waitFor()
    await page.getByRole('cell', { name: canary }).waitFor()
    const created = page.locator('td[data-head="Created"] time').first()
    expect(await created.textContent()).toMatch(/ ago$|^now$/)
    // The time in the time zone of the reader with its name, and in UTC.
    expect(await created.getAttribute('title')).toMatch(/^.+ at [\d:]+ \S+\n[\d-]+ [\d:]+ UTC$/)
    service.clock.advance(1_000)
    const { id } = await newOffer(service, [other])
    await page.reload()
    await page.getByRole('cell', { name: 'open' }).nth(1).waitFor()
    expect(await page.locator('tbody code').first().getAttribute('title')).toBe(id)
    await checkScreen(page, 'offers')
    await page.getByLabel('State').selectOption('collected')
    await page.getByText('No offer is in this state.').waitFor()
    await page.reload()
    await page.getByText('No offer is in this state.').waitFor()
    await page.goBack()
    await page.getByLabel('Configuration').selectOption(other)
    await page.getByRole('cell', { name: 'open' }).nth(1).waitFor()
    await page.reload()
    await page.getByRole('cell', { name: 'open' }).nth(1).waitFor()
    expect(new URL(page.url()).searchParams.get('configuration')).toBe(other)
    expect(faults).toEqual([])
  })

  test('long names take few lines in the list of offers', async () => {
    const { service, open } = opened
    const name = 'Studierendenausweis der Rheinisch-Westfälischen Technischen Hochschule Aachen'
    const label = 'Studierendensekretariat Wintersemester 2026/27 Nr. 00012345'
    await newOffer(service, [await compactConfiguration(service, { display: [{ name }] })], { label })
    const page = await open('/offers', { roles: ['admin'] })
    await page.getByRole('cell', { name }).waitFor()
    const row = await page.getByRole('row', { name: label }).boundingBox()
    // Five lines of text.
    expect(row?.height).toBeLessThan(145)
    expect(await page.locator('.wide').evaluate((wide) => wide.scrollWidth - wide.clientWidth)).toBe(0)
  })

  test('a user makes an offer, a wallet scans it, and the open page shows which check refused the wallet', async () => {
    const { service, open, faults } = opened
    const id = await compactConfiguration(service, { display: [{ name: 'Course certificate' }] })
    const page = await open('/offers/new', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByLabel('Course certificate').check()
    await page.getByRole('button', { name: 'Create the offer' }).click()
    await page.getByText('Please fill this in').waitFor()
    await page.getByRole('textbox', { name: 'given_name' }).fill(canary)
    await page.getByLabel('Transaction code', { exact: true }).check()
    await page.getByLabel('Text that the wallet shows with the code').fill(canary)
    const ends = page.getByText('If it is created now', { exact: false }).locator('time')
    const minutesLeft = async () => (Date.parse((await ends.getAttribute('datetime')) ?? '') - Date.now()) / 60_000
    expect(await minutesLeft()).toBeCloseTo(5, 0)
    await page.getByLabel('Expires after').selectOption('10 minutes')
    await expect.poll(minutesLeft).toBeCloseTo(10, 0)
    await checkScreen(page, 'offers-new')
    await page.getByRole('button', { name: 'Create the offer' }).click()
    const code = await page.locator('.digits').textContent()
    await page.getByText(/\d:\d\d left/).waitFor()
    const drawn = await page.locator('svg.qr').screenshot()
    const uri = readQr(drawn) ?? ''
    expect(new URL(uri).searchParams.has('credential_offer_uri')).toBe(true)
    const { credential_configuration_ids } = await readOffer(uri, service.anonymous)
    expect(credential_configuration_ids).toEqual([id])
    const forms = page.locator('.other-forms')
    expect(await forms.getByText(uri).isVisible()).toBe(false)
    expect(await page.getByRole('link', { name: 'Page for the person' }).getAttribute('href')).toContain('/o/')
    await forms.locator('summary').press('Enter')
    await forms.getByText(uri).waitFor()
    await forms.getByRole('button', { name: 'Copy: Link that refers to the offer' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(uri)
    await checkInBothLanguages(page, 'offer-forms')

    const wallet = await newWallet(service, service.origin, uri)
    await wallet.redeem({ tx_code: 'wrong' })
    await page.locator('summary').getByText('The transaction code is wrong').waitFor()
    const refusal = page.locator('details[open][data-check="transaction_code"]')
    await refusal.getByText('OpenID4VCI 1.0, section 6.3').waitFor()
    await checkScreen(page, 'offer')
    await wallet.redeem({ tx_code: code ?? '' })
    await wallet.requestCredential()
    await page.getByText('collected', { exact: true }).waitFor()
    await page.getByText('Credential signed').waitFor()
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByText('Bitten Sie die Person, den Code noch einmal einzugeben', { exact: false }).waitFor()
    expect(faults).toEqual([])
  })

  test('the overview counts failed offers, and their list says what is wrong', async () => {
    const { service, open, faults } = opened
    const claimMappings = { family_name: { mapFrom: 'claims.family_name', required: true } }
    const id = await compactConfiguration(service, { type: 'Strict', claimMappings })
    const { uri, id: offerId } = await newOffer(service, [id])
    const wallet = await newWallet(service, service.origin, uri)
    await wallet.redeem()
    await wallet.requestCredential()
    await eventually(
      async () => (await service.operator.get(`/v1/openid/offers/${offerId}/details`)).body.failure !== undefined,
    )
    const page = await open('/')
    await page.getByRole('link', { name: /Failed offers/ }).click()
    await page.getByText('Required claim family_name is missing').waitFor()
    expect(await page.getByLabel('State').inputValue()).toBe('failed')
    await checkScreen(page, 'offers-failed')
    await page.locator(`a[href$="${offerId}"]`).click()
    await page.locator('summary').getByText('A claim is missing or cannot be signed').waitFor()
    await page.getByText('Required claim family_name is missing').waitFor()
    await checkScreen(page, 'offer-failed')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByText('Die erforderliche Angabe family_name fehlt').waitFor()
    expect(faults).toEqual([])
  })

  test('the form names required claims without a value before the offer is made', async () => {
    const { service, open, faults } = opened
    const claimMappings = { family_name: { mapFrom: 'claims.family_name', required: true } }
    const id = await compactConfiguration(service, { type: 'Warned', claimMappings })
    const { body: user } = await service.operator.post('/v1/users', { claims: {} })
    const page = await open(`/offers/new?credentials=${id}`)
    const warning = page.getByText('Required claims without a value here: family_name.', { exact: false })
    await warning.waitFor()
    await page.getByRole('textbox', { name: 'family_name' }).fill('Lovelace')
    await warning.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Claims as JSON' }).click()
    await page.getByLabel(/^Claims \(/).fill('{"family_name": "Lovelace"}')
    await warning.waitFor({ state: 'detached' })
    await page.getByLabel(/^Claims \(/).fill('{}')
    await warning.waitFor()
    await checkScreen(page, 'offers-new-warning')
    await page.getByRole('button', { name: 'Claims in fields' }).click()
    // The user may have the claim, so the field can stay empty.
    await page.getByRole('textbox', { name: 'family_name' }).fill('')
    await page.getByLabel(/^User/).fill(user.id)
    await warning.waitFor()
    await page.getByRole('button', { name: 'Create the offer' }).click()
    await page.getByText(/\d:\d\d left/).waitFor()
    expect(faults).toEqual([])
  })

  test('a keyboard user makes and withdraws an offer for any user who signs in', async () => {
    const { service, open, faults } = opened
    const id = await compactConfiguration(service)
    const page = await open(`/offers/new?credentials=${id}`)
    await page.getByRole('radio').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.getByLabel('Parameters for the identity provider').focus()
    await page.keyboard.type('not valid JSON')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('This is not valid JSON', { exact: false }).waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('{"login_hint": "ada"}')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete' }).focus()
    const { data } = (await service.operator.get(`/v1/openid/offers?configurationId=${id}`)).body
    expect(data).toMatchObject([{ kind: 'authorization-code', credentials: [id] }])
    await page.keyboard.press('Enter')
    // A second press of the key deletes nothing.
    await page.getByRole('dialog').locator(':focus').getByText('Cancel').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Offers' }).waitFor()
    expect((await service.operator.get(`/v1/openid/offers?configurationId=${id}`)).body.data).toEqual([])
    await page.goto(`${service.origin}/console/offers/${data[0].id}`)
    await page.getByText('This offer was deleted', { exact: false }).waitFor()
    await page.goto(`${service.origin}/console/offers/no-id`)
    await page.getByText('This offer was deleted', { exact: false }).waitFor()
    expect(await page.getByText('UUID').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('the form has a field for each document element by type, and a user without the role sees the reason', async () => {
    const { service, open, faults } = opened
    await activeIaca(service)
    const id = await mdlConfiguration(service)
    await service.operator.put('/v1/settings?partial=true', { walletFamilies: ['eudi-ios'] })
    const page = await open(`/offers/new?credentials=${id}`)
    expect(await page.getByLabel('birth_date').getAttribute('type')).toBe('date')
    expect(await page.getByLabel('height').getAttribute('type')).toBe('number')
    await page
      .getByLabel('portrait')
      .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(3_000, 1) })
    await page.getByText('Selected: 3 KB').waitFor()
    await page.getByLabel('driving_privileges').fill('[]')
    await page.getByLabel('birth_date').fill('1815-12-10')
    await page.getByLabel('age_over_18').selectOption('Yes')
    await page.getByLabel('height').fill('170')
    const kept = ['portrait', 'birth_date', 'driving_privileges', 'age_over_18', 'height']
    await page.getByLabel('Store these claims').fill(kept.join('\n'))
    await page.getByRole('button', { name: 'Create the offer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Offer', exact: true }).waitFor()
    // The bytes are no JPEG.
    const warnings = page.getByRole('status').filter({ hasText: 'Check this before you send the offer' })
    await warnings.locator('code', { hasText: 'portrait' }).waitFor()
    await warnings.getByText('EUDI Wallet for iOS cannot read this offer.', { exact: false }).waitFor()
    const { data } = (await service.operator.get(`/v1/openid/offers?configurationId=${id}`)).body
    const { claims } = (await service.operator.get(`/v1/users/${data[0].userId}`)).body
    expect(claims).toEqual({
      ...{ portrait: Buffer.alloc(3_000, 1).toString('base64'), birth_date: '1815-12-10', driving_privileges: [] },
      ...{ age_over_18: true, height: 170 },
    })
    const auditor = await open('/offers/new', { roles: ['auditor'] })
    await auditor.getByText('Your roles do not allow this', { exact: false }).waitFor()
    expect(faults).toEqual([])
  })
})
