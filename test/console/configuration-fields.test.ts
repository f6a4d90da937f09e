import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../harness/chromium.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

describe.skipIf(!hasChromium)('the fields of a configuration', () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole({ roles: ['signing'] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('the validity is an amount with a unit, and shows the date that results', async () => {
    const { service, open, faults } = opened
    const id = await compactConfiguration(service, { expiresIn: { years: 1, months: 6 } })
    const path = `/v2/credentials/compact/configurations/${id}`
    const page = await open(`/configurations/compact/${id}`)
    const amount = page.getByLabel('Expires after', { exact: false })
    const unit = page.getByLabel('Unit', { exact: true })
    const json = page.getByRole('textbox', { name: 'JSON', exact: true })
    const saved = async () => (await service.operator.get(path)).body.expiresIn
    const typed = async () => JSON.parse(await json.inputValue()).expiresIn
    // A duration of several units has a row for each of them.
    await amount.first().waitFor()
    expect(await amount.evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value))).toEqual([
      '1',
      '6',
    ])
    await amount.nth(1).fill('')
    await amount.first().fill('2')
    expect(await typed()).toEqual({ years: 2 })
    const end = page.locator('output')
    await end.getByText('expires on').waitFor()
    const inTwoYears = new Date()
    inTwoYears.setUTCFullYear(inTwoYears.getUTCFullYear() + 2)
    expect(await end.locator('time').getAttribute('datetime')).toContain(inTwoYears.toISOString().slice(0, 10))
    // Another unit keeps the amount, by keyboard too.
    await unit.focus()
    await page.keyboard.press('m')
    await page.keyboard.press('Tab')
    expect(await typed()).toEqual({ months: 2 })
    // An empty amount keeps its unit and means that there is no expiry.
    await amount.first().fill('')
    expect(await typed()).toBeUndefined()
    expect(await unit.inputValue()).toBe('months')
    await end.getByText('no expiry').waitFor()
    await amount.first().fill('3')
    await page.getByRole('button', { name: 'Add a unit' }).press('Enter')
    await page.getByLabel('Expires after 2').fill('1')
    expect(await typed()).toEqual({ months: 3, weeks: 1 })
    await amount.first().fill('99999999999999')
    await end.getByText('too long').waitFor()
    await amount.first().fill('3')
    await checkInBothLanguages(page, 'configuration-validity')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('✓ Saved').waitFor()
    expect(await saved()).toEqual({ months: 3, weeks: 1 })
    expect(faults).toEqual([])
  })
})
