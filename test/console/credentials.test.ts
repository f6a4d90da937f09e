import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { newCredentials, newList } from '../harness/revocable.ts'
import { type Console, checkInBothLanguages, chooseInMenu, savedBy, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const day = 24 * 3_600_000

describe('the list of credentials', { tags: 'chromium' }, () => {
  let opened: Console
  let course: string
  let membership: string
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    course = await compactConfiguration(service, { revocable: true, display: [{ name: 'Course' }] })
    membership = await compactConfiguration(service, { revocable: true, display: [{ name: canary }] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an issuer filters the credentials by configuration and by days, with the mouse and with keys', async () => {
    const { service, open, faults } = opened
    const at = (days: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + days * day)
    for (const days of [0, 1, 2])
      await newCredentials(service, service.id, { configurationId: course, issuedAt: at(days) })
    await newCredentials(service, service.id, { configurationId: membership, issuedAt: at(3) })
    // A day of this reader begins at 11:00 UTC of the day before, so that noon in UTC is the next day.
    const page = await open('/credentials', { roles: ['issuer'], timezoneId: 'Pacific/Auckland' })
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(4)
    await page.getByLabel('Configuration').selectOption('Course')
    await expect.poll(() => rows.count()).toBe(3)
    // The newest first. The configuration has its name, and the time is on one line.
    expect(await rows.first().innerText()).toContain('4 Mar 2026')
    await rows.first().getByText('Course').waitFor()
    await page.setViewportSize({ width: 1280, height: 450 })
    const time = await rows.first().locator('time').boundingBox()
    expect(time?.height).toBeLessThan(30)
    await page.getByLabel('Issued from').fill('2026-03-03')
    await page.getByLabel('Issued until').fill('2026-03-03')
    await page.getByRole('button', { name: 'Filter' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.first().innerText()).toContain('3 Mar 2026')
    await page.reload()
    await expect.poll(() => rows.count()).toBe(1)
    await checkInBothLanguages(page, 'credentials-filtered')

    // The focus stays in the field when the list changes.
    const until = page.getByLabel('Issued until')
    await until.fill('2026-03-31')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await until.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true)
    await until.fill('2026-03-01')
    await page.keyboard.press('Enter')
    await page.getByText('No credential matches the filter.').waitFor()
    await page.goBack()
    await expect.poll(() => until.inputValue()).toBe('2026-03-31')
    await page.getByRole('link', { name: 'All credentials' }).press('Enter')
    await expect.poll(() => until.inputValue()).toBe('')
    expect(faults).toEqual([])
  })

  test('a keyboard user selects credentials on two pages and revokes them, with the counts first', async () => {
    const { service, open, faults } = opened
    const configurationId = await compactConfiguration(service, { revocable: true, display: [{ name: 'Licence' }] })
    const listId = await newList(service, service.id)
    const issuanceAt = (hour: number) => ({ configurationId, issuedAt: new Date(`2026-04-01T${hour}:00:00Z`) })
    await newCredentials(service, service.id, { ...issuanceAt(12), count: 58, listId })
    await newCredentials(service, service.id, { ...issuanceAt(11), count: 2 })
    const [gone] = await newCredentials(service, service.id, { ...issuanceAt(10), listId, from: 58 })
    const revoke = { credentials: [gone?.credentialId], isRevoked: true }
    await service.operator.post('/v2/credentials/revocation-status', revoke)
    const statuses = async () => {
      const { body } = await service.operator.get(`/v2/credentials/issued?configurationId=${configurationId}`)
      return body.data.map(({ status }: { status: string }) => status).sort()
    }
    await expect.poll(async () => (await statuses())[0]).toBe('invalid')

    const page = await open(`/credentials?configuration=${configurationId}`, { roles: ['managed-issuer'] })
    await page.goto(`${new URL(page.url()).origin}/console/credentials?id=${gone?.credentialId}`)
    await page.getByText('Status changed').waitFor()
    await page.goBack()
    const whole = page.getByLabel('Select all on this page')
    await whole.press('Space')
    await page.getByText('50 selected').waitFor()
    await page.getByLabel('Select credential').first().press('Space')
    await page.getByText('49 selected').waitFor()
    expect(await whole.evaluate((box) => 'indeterminate' in box && box.indeterminate)).toBe(true)
    await page.getByRole('link', { name: 'Next page' }).press('Enter')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(11)
    await whole.press('Space')
    await checkInBothLanguages(page, 'credentials-selected')
    await page.getByRole('button', { name: 'Revoke 60' }).press('Enter')
    const dialog = page.getByRole('dialog')
    expect((await dialog.locator('.facts dd').allInnerTexts()).map(Number)).toEqual([60, 57, 1, 2])
    await checkInBothLanguages(page, 'credentials-revoke-dialog')
    // A selected credential that was deleted meanwhile is named in the result.
    const last = (await page.locator('main tbody tr a code').first().getAttribute('title')) ?? ''
    expect(await service.operator.delete(`/v2/credentials/compact/${last}`)).toMatchObject({ status: 204 })
    await dialog.getByRole('button', { name: 'Revoke 57' }).press('Enter')
    await dialog.getByText('done', { exact: true }).waitFor()
    await dialog.getByText('57 of 57').waitFor()
    await dialog.getByRole('cell', { name: 'No credential of this tenant has this id' }).waitFor()
    await checkInBothLanguages(page, 'credentials-revoked')
    await page.keyboard.press('Escape')
    await page.getByText('60 selected').waitFor({ state: 'detached' })
    expect((await statuses()).filter((status: string) => status === 'invalid')).toHaveLength(57)
    expect(faults).toEqual([])
  })

  test('a selection has the current state of its rows, and a revocation whose dialog was closed shows its own result', async () => {
    const { service, open, faults } = opened
    const configurationId = await compactConfiguration(service, { revocable: true, display: [{ name: 'Pass' }] })
    const listId = await newList(service, service.id)
    const [made] = await newCredentials(service, service.id, { configurationId, count: 1, listId })
    const revoke = { credentials: [made?.credentialId], isRevoked: true }
    await service.operator.post('/v2/credentials/revocation-status', revoke)
    const page = await open(`/credentials?configuration=${configurationId}`, { roles: ['managed-issuer'] })
    const reload = async () => {
      await page.reload()
      return page.getByRole('cell', { name: 'revoked' }).isVisible({ timeout: 1_000 })
    }
    await expect.poll(reload).toBe(true)
    await page.getByLabel('Select credential').press('Space')
    await chooseInMenu(page, 'Restore')
    await page.getByRole('cell', { name: 'valid', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revoke 1', exact: true }).click()
    const dialog = page.getByRole('dialog')
    expect((await dialog.locator('.facts dd').allInnerTexts()).map(Number)).toEqual([1, 1])
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/v2/credentials/revocation-status', async (route) => {
      await mayAnswer
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Revoke 1' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    answer()
    await dialog.getByText('1 of 1').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 selected').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  test('the file of the filter has all its pages, and neutralises formulas', async () => {
    const { service, open, faults } = opened
    const configurationId = await compactConfiguration(service, { revocable: true, display: [{ name: 'Permit' }] })
    const made = await newCredentials(service, service.id, { configurationId, count: 60 })
    await service.deps.db.tx((tx) =>
      tx
        .update(credentials)
        .set({ type: '=1+1,"x"', issuedAt: new Date('2026-01-01') })
        .where(eq(credentials.id, made[0]?.credentialId ?? '')),
    )
    const page = await open(`/credentials?configuration=${configurationId}`, { roles: ['issuer'] })
    const file = await savedBy(page, () => page.getByRole('button', { name: 'Save as CSV' }).press('Enter'))
    const [head, ...lines] = file.toString().trimEnd().split('\r\n')
    expect(head).toBe(
      'id,type,profile,status,isRevocable,userId,credentialConfigurationId,offerId,issuedDate,validFrom,validUntil,signerId',
    )
    expect(lines.map((line) => line.split(',')[0]).sort()).toEqual(made.map(({ credentialId }) => credentialId).sort())
    expect(lines.find((line) => line.startsWith(made[0]?.credentialId ?? ''))).toContain(
      `,"'=1+1,""x""",compact,valid,`,
    )
    expect(await page.getByText('The file has the first').count()).toBe(0)

    await page.getByLabel('Issued until').fill('2026-01-01')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    const pages = Array.from({ length: 50 }, () => ({ data: [], nextCursor: 'next' }))
    await page.route('**/v2/credentials/issued?*limit=1000*', (route) => route.fulfill({ json: pages.pop() ?? {} }))
    await savedBy(page, () => page.getByRole('button', { name: 'Save as CSV' }).click())
    await page.getByText('The file has the first 0 credentials.').waitFor()
    await checkInBothLanguages(page, 'credentials-csv')
    expect([pages.length, faults]).toEqual([0, []])
  })

  test('an admin filters all credentials by state and profile, and a final revocation needs a word', async () => {
    const { service, open, faults } = opened
    const removed = await compactConfiguration(service)
    const [plain] = await newCredentials(service, service.id, { configurationId: removed })
    await service.operator.delete(`/v2/credentials/compact/configurations/${removed}`)
    const mobileList = await newList(service, service.id, 'mobile')
    const [mobile] = await newCredentials(service, service.id, { profile: 'mobile', listId: mobileList })
    const [expired] = await newCredentials(service, service.id, { configurationId: removed })
    await service.deps.db.tx((tx) =>
      tx
        .update(credentials)
        .set({ validUntil: new Date('2026-01-01') })
        .where(eq(credentials.id, expired?.credentialId ?? '')),
    )
    const page = await open('/credentials')
    const titles = () =>
      page.locator('main tbody tr a[href*="?id="] code').evaluateAll((all) => all.map((each) => each.title))
    await page.locator('tbody tr').first().waitFor()
    expect(await titles()).toEqual(expect.arrayContaining([plain?.credentialId, mobile?.credentialId]))
    await page.getByLabel('State').selectOption('expired')
    await expect.poll(titles).toEqual([expired?.credentialId])
    await checkInBothLanguages(page, 'credentials-all')
    await page.getByRole('cell', { name: 'expired' }).waitFor()
    await page.getByLabel('State').selectOption('valid')
    await page.getByLabel('Profile').selectOption('mobile')
    await expect.poll(titles).toEqual([mobile?.credentialId])
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Revoke 1', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Cannot be made valid again').waitFor()
    expect(await dialog.getByRole('button', { name: 'Revoke 1' }).isDisabled()).toBe(true)
    await dialog.getByLabel('to confirm').fill('revoke')
    await page.keyboard.press('Enter')
    await dialog.getByText('1 of 1').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('No credential matches the filter.').waitFor()

    await page.getByRole('link', { name: 'All credentials' }).click()
    await service.deps.db.tx((tx) =>
      tx
        .update(credentials)
        .set({ type: 'Diploma' })
        .where(eq(credentials.id, plain?.credentialId ?? '')),
    )
    await page.getByLabel('Type').fill(' Diploma ')
    await page.keyboard.press('Enter')
    await expect.poll(titles).toEqual([plain?.credentialId])
    expect(new URL(page.url()).searchParams.get('type')).toBe('Diploma')
    await checkInBothLanguages(page, 'credentials-type')
    await page.getByLabel('State').selectOption('expired')
    await page.getByText('No credential matches the filter.').waitFor()
    await page.reload()
    expect(await page.getByLabel('Type').inputValue()).toBe('Diploma')
    await page.getByRole('link', { name: 'All credentials' }).click()

    // The service searches in steps.
    const nothing = { data: [], nextCursor: 'next' }
    await page.route('**/v2/credentials/issued?*state=suspended*', (route) => route.fulfill({ json: nothing }))
    await page.getByLabel('State').selectOption('suspended')
    await page.getByText('Continue with the next page.').waitFor()
    await page.getByRole('link', { name: 'Next page' }).waitFor()
    const viewer = await open('/credentials', { roles: ['viewer'] })
    await viewer.getByText('Your roles do not allow this').waitFor()
    expect(await viewer.getByRole('checkbox').count()).toBe(0)
    expect(faults).toEqual([])
  })
})
