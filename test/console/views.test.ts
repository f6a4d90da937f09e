import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, sdJwtConfiguration } from '../harness/factories.ts'
import { type Console, checkInBothLanguages, checkScreen, chooseInMenu, startConsole } from './console.ts'

describe('views of the issuer', { tags: 'chromium' }, () => {
  let opened: Console
  let compactId: string
  beforeAll(async () => {
    opened = await startConsole()
    compactId = await compactConfiguration(opened.service, { display: [{ name: 'Library card' }] })
    await sdJwtConfiguration(opened.service)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an issuer makes a view, corrects it, reads its addresses, and a used view cannot be deleted', async () => {
    const { service, open, faults } = opened
    const viewOf = async () => (await service.operator.get('/v1/views')).body.data.at(0)
    const page = await open('/access?tab=views', { roles: ['issuer'] })
    await page.getByText('No view yet.', { exact: false }).waitFor()
    const guide = page.getByRole('link', { name: 'Read the guide' })
    const guidePage = await service.anonymous.get((await guide.getAttribute('href')) ?? '')
    expect(guidePage).toMatchObject({ status: 200 })
    await page.getByRole('button', { name: 'New view' }).first().press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('iOS wallets')
    await page.getByLabel('Last part of the issuer identifier').fill('ios')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByText('Nothing was changed. Correct the marked fields.').waitFor()
    await page.getByLabel('Mobile').check()
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByText('The tenant has no configuration of these profiles. Create one first.').waitFor()
    await page.getByLabel('Mobile').uncheck()
    await page.getByLabel('SD-JWT VC').check()
    await page.getByLabel('Security profile').selectOption('haip')
    await checkInBothLanguages(page, 'access-view-edit')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    const row = page.getByRole('row', { name: 'iOS wallets' })
    await row.getByText('SD-JWT VC').waitFor()
    const created = await viewOf()
    expect(created).toMatchObject({ path: 'ios', profile: 'haip', configurations: { profiles: ['sd-jwt'] } })

    await chooseInMenu(row, 'Edit')
    await page.getByLabel('What it publishes').selectOption('Only some configurations')
    await page.getByLabel('Library card').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The profile haip allows only mobile and sd-jwt.', { exact: false }).waitFor()
    await page.getByLabel('Security profile').selectOption('standard')
    await page.getByLabel('Name in wallets').fill('University')
    await page.getByLabel('Wallets of the people who use it').selectOption('Only these')
    await page.getByLabel('EUDI Wallet (iOS)').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('1 configuration').waitFor()
    expect(await viewOf()).toStrictEqual({
      ...{ ...created, profile: 'standard', displayName: 'University', walletFamilies: ['eudi-ios'] },
      configurations: { ids: [compactId] },
    })
    await chooseInMenu(row, 'Edit')
    await page.getByLabel('EUDI Wallet (iOS)').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(viewOf).toMatchObject({ walletFamilies: [], displayName: 'University' })
    await checkInBothLanguages(page, 'access-views')

    await chooseInMenu(row, 'Show')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('link', { name: 'Library card' }).waitFor()
    await dialog.getByText(created.issuer, { exact: true }).waitFor()
    await checkScreen(page, 'access-view')
    const metadata = await dialog.getByRole('link', { name: 'openid-credential-issuer' }).getAttribute('href')
    const published = await service.anonymous.get(new URL(metadata ?? '').pathname)
    expect(published.body).toMatchObject({ credential_issuer: created.issuer, display: [{ name: 'University' }] })
    await page.keyboard.press('Escape')

    const offer = await service.operator.post('/v1/openid/offers/pre-authorized', {
      ...{ credentials: [compactId], view: created.id, claims: { given_name: 'Ada' } },
      expiresIn: { minutes: 5 },
    })
    expect(offer).toMatchObject({ status: 200 })
    await chooseInMenu(row, 'Delete')
    await dialog.getByLabel('to confirm').fill('iOS wallets')
    await page.keyboard.press('Enter')
    await dialog.getByText('1 pre-authorized offers, 0 shared offers', { exact: false }).waitFor()
    await checkScreen(page, 'access-view-used')
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await service.operator.delete(`/v1/openid/offers/${offer.body.id}`)
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
    await row.waitFor({ state: 'detached' })
    expect(await viewOf()).toBeUndefined()
    expect(faults).toEqual([])
  })

  test('an issuer sees for each view which wallets can read it', async () => {
    const { service, open, faults } = opened
    const { body } = await service.operator.post('/v1/views', {
      ...{ name: 'Europe', path: 'europe', profile: 'standard', configurations: { profiles: ['sd-jwt'] } },
    })
    const page = await open('/access?tab=readers', { roles: ['issuer'] })
    const view = page.locator('section', { hasText: 'View: Europe' })
    await view.getByText(body.issuer).waitFor()
    const readers = await service.operator.get('/v1/openid/configuration/readers')
    const [{ families }] = readers.body.views
    expect(families).not.toEqual(readers.body.families)
    for (const { name, findings } of families) {
      const text = await view.getByRole('row', { name }).innerText()
      expect(text.split(/\s/)).toContain(findings.length > 0 ? String(findings.length) : 'everything')
    }
    await checkInBothLanguages(page, 'access-readers-of-views')
    await service.operator.delete(`/v1/views/${body.id}`)
    expect(faults).toEqual([])
  })

  test('a viewer sees the views and no button that changes them', async () => {
    const { service, open, faults } = opened
    const made = await service.operator.post('/v1/views', {
      ...{ name: 'Android', path: 'android', profile: 'standard', configurations: { profiles: ['compact'] } },
    })
    expect(made).toMatchObject({ status: 201 })
    const page = await open('/access?tab=views', { roles: ['viewer'] })
    const row = page.getByRole('row', { name: 'Android' })
    await row.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('dialog').getByText('standard: a nonce in every proof').waitFor()
    await page.keyboard.press('Escape')
    for (const name of ['New view', 'Edit', 'Delete', 'Actions'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    expect(faults).toEqual([])
  })
})
