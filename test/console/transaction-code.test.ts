import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

describe('transaction code of a new offer', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  async function make() {
    const id = await compactConfiguration(opened.service)
    const page = await opened.open(`/offers/new?credentials=${id}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('textbox', { name: 'given_name' }).fill('Ada')
    await page.getByLabel('Transaction code', { exact: true }).check()
    await page.getByRole('button', { name: 'Create the offer' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.digits').waitFor()
    return page
  }

  test('the code and the QR code are on one screen, and the code can be copied, hidden and shown again', async () => {
    const page = await make()
    const groups = await page.locator('.digits > span').allTextContents()
    const code = groups.join('')
    expect(groups.map(({ length }) => length)).toEqual([3, 3])
    await page.getByRole('img', { name: [...code].join(' ') }).waitFor()
    await page.locator('svg.qr').waitFor()
    await page.getByRole('button', { name: 'Copy: Transaction code' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code)
    await checkInBothLanguages(page, 'offer-code')
    await page.getByRole('button', { name: 'Hide the code' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.digits').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    expect(await page.locator('.digits').textContent()).toBe(code)
    expect(opened.faults).toEqual([])
  })

  test('the code is in memory only, and leaving the screen drops it', async () => {
    const page = await make()
    const code = (await page.locator('.digits').textContent()) ?? ''
    const stored =
      'JSON.stringify([location.href, history.state, {...localStorage}, {...sessionStorage}, document.cookie])'
    expect(await page.evaluate(stored)).not.toContain(code)
    await page.getByRole('link', { name: '← Offers' }).click()
    await page.getByRole('heading', { level: 1, name: 'Offers' }).waitFor()
    await page.goBack()
    await page.locator('svg.qr').waitFor()
    expect(await page.locator('.digits').count()).toBe(0)
    expect(opened.faults).toEqual([])
  })

  test('the time left counts down, and screen readers hear it at 2 minutes and not each second', async () => {
    const page = await make()
    await page
      .getByRole('timer')
      .getByText(/[45]:\d\d left/)
      .waitFor()
    const announced = page.locator('.announced')
    expect(await announced.textContent()).toBe('')
    await page.clock.install({ time: Date.now() + 185_000 })
    await page
      .getByRole('timer')
      .getByText(/1:\d\d left/)
      .waitFor()
    expect(await announced.textContent()).toBe('2:00 left')
    expect(opened.faults).toEqual([])
  })
})
