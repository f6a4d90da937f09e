import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bulkIssuances } from '../../db/tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../db/tables/issuance/claim-links.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { newWallet } from '../wallets/wallet.ts'
import { type Console, checkScreen, chooseInMenu, savedBy, startConsole } from './console.ts'

interface Result {
  externalId: string
  link: string
  transactionCode: string
}

describe('bulk issuance of claim links', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  /** Opens a link as a person does, and collects the credential with a wallet. */
  async function collect({ link, transactionCode }: Pick<Result, 'link' | 'transactionCode'>): Promise<void> {
    const { service, browser } = opened
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(service.origin + new URL(link).pathname)
    await page.getByRole('button', { name: 'Continue' }).click()
    const uri = (await page.getByRole('link', { name: 'Add to wallet' }).getAttribute('href')) ?? ''
    const wallet = await newWallet(service, service.origin, uri)
    expect(await wallet.redeem({ tx_code: transactionCode })).toMatchObject({ status: 200 })
    expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
    await context.close()
  }

  test('from a spreadsheet to credentials in wallets with the console alone', async () => {
    const { service, open, faults } = opened
    const student = await compactConfiguration(service, { display: [{ name: 'Student card' }] })
    const library = await compactConfiguration(service, { display: [{ name: 'Library card' }] })
    const page = await open('/bulk/new', { locale: 'de-DE' })
    await page.getByText('Wählen Sie, was aus jeder Zeile wird.').waitFor()
    await page.getByLabel('Student card').check()
    await page.getByLabel('Library card').check()
    const table = 'Nr;Vorname\r\n1;Ada\r\n2;Bob\r\n3;\r\n4;Eve\r\n'
    const buffer = Buffer.from(table)
    await page.locator('input[type=file]').setInputFiles({ name: 'Studierende.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('Die Links gelten (Tage)').fill('400')
    await page.getByLabel('Transaktionscode', { exact: true }).check()
    await page.getByLabel('Text, den die Wallet zum Code anzeigt').fill('In Ihrem Brief')
    await page.getByRole('button', { name: 'Hochladen' }).click()
    await page.getByText('Must be', { exact: false }).waitFor()
    await page.getByLabel('Die Links gelten (Tage)').fill('21')
    await checkScreen(page, 'bulk-links-new')
    await page.getByRole('button', { name: 'Hochladen' }).click()
    await page.getByRole('button', { name: 'Starten' }).click()
    await page.getByText('fertig', { exact: true }).waitFor()
    const saved = await savedBy(page, () => page.getByRole('button', { name: /^Ergebnisse als JSON Lines/ }).click())
    const results: Result[] = saved
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(results).toMatchObject([{ externalId: '1' }, { externalId: '2' }, { externalId: '4' }])
    const [first, second] = results
    if (!first || !second) throw new Error('no results')
    await collect(first)

    await page.getByLabel('Zustand').selectOption('open')
    await chooseInMenu(page.getByRole('row', { name: /^2 2/ }), 'Neuer Link')
    await page.getByRole('dialog').getByRole('button', { name: 'Neuer Link' }).click()
    const codes = page.getByRole('dialog').locator('code')
    await expect.poll(() => codes.count()).toBe(2)
    const [link = '', transactionCode = ''] = await codes.allInnerTexts()
    await checkScreen(page, 'bulk-links-made')
    // The only copy of the code stays when the rows are read again.
    for (const [state, text] of [
      ['cancelled', 'abgebrochen'],
      ['done', 'fertig'],
    ] as const) {
      await service.deps.db.tx((tx) => tx.update(bulkIssuances).set({ state }).where(eq(bulkIssuances.mode, 'links')))
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
      await page.getByText(text, { exact: true }).waitFor()
      await page.getByRole('row', { name: /^2 2/, includeHidden: true }).waitFor()
      expect(await codes.allInnerTexts()).toEqual([link, transactionCode])
    }
    await page.keyboard.press('Escape')
    expect(link).not.toBe(second.link)
    await collect({ link, transactionCode })
    await chooseInMenu(page.getByRole('row', { name: /^4 4/ }), 'Widerrufen')
    await page.getByRole('dialog').getByRole('button', { name: 'Widerrufen' }).click()
    await page.getByText('Keine Zeile ist in diesem Zustand.').waitFor()
    await page.reload()
    const counts = page.locator('dl', { hasText: 'nicht geöffnet' }).locator('dd')
    await expect.poll(() => counts.allInnerTexts()).toEqual(['0', '0', '2', '0', '1'])
    await counts.nth(2).getByRole('link').click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    await checkScreen(page, 'bulk-links')
    for (const width of [768, 1024]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
    const { data } = (await service.operator.get('/v1/bulk-issuances')).body
    expect(data).toMatchObject([{ mode: 'links', configurationIds: [student, library], expiresIn: { days: 21 } }])
    expect(faults).toEqual([])
  })

  test('a claim link for one person is made, shown once, and listed', async () => {
    const { service, open, faults } = opened
    await compactConfiguration(service, { display: [{ name: 'Replacement card' }] })
    const page = await open('/bulk', { locale: 'en-GB' })
    await page.getByRole('link', { name: 'Claim link for one person' }).click()
    await page.getByLabel('Replacement card').check()
    await page.getByLabel('given_name').fill('Ada')
    const [choice, form] = [
      await page.locator('main fieldset').boundingBox(),
      await page.locator('main form').boundingBox(),
    ]
    expect(form!.y - choice!.y - choice!.height).toBeGreaterThanOrEqual(16)
    await page.getByLabel('Your id of the person').fill('s-17')
    await page.getByLabel('Label').fill('Order 4712')
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByLabel('The links are valid for (days)').fill('14')
    await page.getByLabel('Transaction code', { exact: true }).check()
    await checkScreen(page, 'bulk-person')
    await page.getByRole('button', { name: 'Make the link' }).click()
    const codes = page.getByRole('dialog').locator('code')
    await expect.poll(() => codes.count()).toBe(2)
    const [link = '', transactionCode = ''] = await codes.allInnerTexts()
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /Order 4712 .*s-17/ }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Order 4712' }).waitFor()
    await collect({ link, transactionCode })
    await page.goto(`${service.origin}/console/bulk?source=person`)
    await page.getByRole('link', { name: 'one person', exact: true }).click()
    const saved = await savedBy(page, () => page.getByRole('button', { name: 'Results as CSV' }).click())
    expect(saved.toString()).toMatch(/,s-17,http\S+,ada@example\.org/)
    expect(faults).toEqual([])
  })

  test('all expired links are renewed with one button', async () => {
    const { service, open, faults } = opened
    const fields = bulkFields(await compactConfiguration(service), { mode: 'links' })
    const file = csvFile('number,given_name\n1,Ada\n2,Bob\n')
    const { body } = await uploadTo(service.operator, '/v1/bulk-issuances', ['file', file], ...fields)
    const page = await open(`/bulk/${body.id}`)
    const counts = page.locator('dl', { hasText: 'not opened' }).locator('dd')
    await expect.poll(() => counts.allInnerTexts()).toEqual(['2', '0', '0', '0', '0'])
    expect(await page.getByRole('button', { name: 'Renew all expired' }).count()).toBe(0)
    const expiresAt = new Date(service.clock.now().getTime() - 1)
    const ofBulk = eq(claimLinks.bulkId, body.id)
    await service.deps.db.tx((tx) => tx.update(claimLinks).set({ expiresAt }).where(ofBulk))
    await page.reload()
    await page.getByRole('button', { name: 'Renew all expired' }).click()
    await checkScreen(page, 'bulk-links-renewal')
    await page.getByRole('dialog').getByRole('button', { name: 'Renew all expired' }).click()
    await page.getByText('The last renewal of expired links has renewed 2.').waitFor()
    await expect.poll(() => counts.allInnerTexts()).toEqual(['2', '0', '0', '0', '0'])
    expect(faults).toEqual([])
  })

  test('the transaction codes are removed when the person confirms that the results are saved', async () => {
    const { service, open, faults } = opened
    const { operator } = service
    const fields = bulkFields(await compactConfiguration(service), { mode: 'links', transactionCode: 'true' })
    const { body } = await uploadTo(
      operator,
      '/v1/bulk-issuances',
      ['file', csvFile('number,given_name\n1,Ada\n')],
      ...fields,
    )
    const page = await open(`/bulk/${body.id}`)
    const download = async () =>
      (await savedBy(page, () => page.getByRole('button', { name: 'Results as JSON Lines' }).click())).toString()
    await page.getByRole('button', { name: 'Remove transaction codes' }).waitFor()
    expect(await download()).toContain('transactionCode')
    await page.getByRole('button', { name: 'Remove transaction codes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Have you saved the results?').waitFor()
    await dialog.getByRole('button', { name: 'Remove transaction codes' }).click()
    await page.getByText('The transaction codes are removed.').waitFor()
    expect(await download()).not.toContain('transactionCode')
    expect(faults).toEqual([])
  })

  test('the form sends the sign-in that links require, and the columns that results keep', async () => {
    const { service, open, faults } = opened
    const provider = { url: 'https://login.example.org', clientId: 'bulk', clientSecret: 'secret' }
    await service.operator.post('/v1/users/authentication-providers', provider)
    await compactConfiguration(service, {
      display: [{ name: 'Member card' }],
      claimMappings: { given_name: { mapFrom: 'claims.given_name' }, email: { mapFrom: 'claims.email' } },
    })
    const page = await open('/bulk/new', { locale: 'en-GB' })
    await page.getByLabel('Member card').check()
    const buffer = Buffer.from('id,given_name,email\n1,Ada,ada@example.org\n')
    await page.locator('input[type=file]').setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer })
    const kept = page.getByRole('group', { name: 'Columns that come back in the results' })
    await kept.getByLabel('email').check()
    await page.getByLabel('Sign-in', { exact: true }).check()
    await page.getByLabel('Claim that must match').fill('email')
    await page.getByLabel('Accept an unverified email or phone number').check()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('button', { name: 'Start' }).waitFor()
    const { data } = (await service.operator.get('/v1/bulk-issuances')).body
    const signIn = { claim: 'email', rowClaim: 'claims.email', acceptUnverified: true }
    expect(data).toContainEqual(expect.objectContaining({ fileName: 'members.csv', signIn, keepColumns: ['email'] }))
    expect(faults).toEqual([])
  })
})
