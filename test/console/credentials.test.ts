import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../harness/chromium.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { newCredentials } from '../harness/revocable.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const day = 24 * 3_600_000

describe.skipIf(!hasChromium)('the list of credentials', () => {
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
    const page = await open('/credentials', { roles: ['issuer'] })
    const rows = page.locator('tbody tr')
    await page.getByLabel('Configuration').selectOption('Course')
    await expect.poll(() => rows.count()).toBe(3)
    // The newest first.
    expect(await rows.first().innerText()).toContain('3 Mar 2026')
    await page.getByLabel('Issued from').fill('2026-03-02')
    await page.getByLabel('Issued until').fill('2026-03-02')
    await page.getByRole('button', { name: 'Filter' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.first().innerText()).toContain('2 Mar 2026')
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
})
