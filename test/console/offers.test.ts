import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../chromium.ts'
import { compactConfiguration, newOffer } from '../factories.ts'
import { type Console, lookAtScreen, startConsole } from './console.ts'

describe.skipIf(!hasChromium)('offers', () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('their list is found by state, and its address shows the same again', async () => {
    const { service, open, faults } = opened
    const page = await open('/offers')
    await page.getByText('No offer yet').waitFor()
    await newOffer(service, [await compactConfiguration(service)])
    await page.reload()
    await page.getByRole('cell', { name: 'open' }).waitFor()
    await lookAtScreen(page, 'offers')
    await page.getByLabel('State').selectOption('collected')
    await page.getByText('No offer is in this state.').waitFor()
    await page.reload()
    await page.getByText('No offer is in this state.').waitFor()
    await page.goBack()
    await page.getByRole('cell', { name: 'open' }).waitFor()
    expect(faults).toEqual([])
  })
})
