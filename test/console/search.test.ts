import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('the search', { tags: 'chromium' }, () => {
  let opened: Console
  let userId: string
  let offerId: string
  let configurationId: string
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    configurationId = await compactConfiguration(service, { display: [{ name: `Pass ${canary}` }] })
    userId = (await service.operator.post('/v1/users', { label: 'Pass 1' })).body.id
    offerId = (await newOffer(service, [configurationId], { label: 'Pass 2' })).id
    await service.operator.post('/v1/ecosystems', { name: 'Passes' })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const field = (page: Page) => page.getByRole('dialog').getByRole('combobox')
  const options = (page: Page) => page.getByRole('dialog').getByRole('option')

  test('a keyboard user opens it with Ctrl-K or a slash, selects a result and reaches its screen', async () => {
    const { open, faults } = opened
    const page = await open('/offers')
    await page.keyboard.press('/')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    // Ctrl-K also works before the closing dialog is removed.
    for (let i = 0; i < 10; i++) {
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await field(page).waitFor()
    }
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await page.keyboard.type('pass')
    await options(page).nth(3).waitFor()
    expect(await options(page).locator('span').allInnerTexts()).toEqual([
      'Pass 1',
      'Pass 2',
      `Pass ${canary}`,
      'Passes',
    ])
    expect(await page.getByRole('dialog').getByRole('option', { selected: true }).innerText()).toContain('Pass 1')
    await checkScreen(page, 'search')
    await page.keyboard.press('ArrowUp')
    expect(await page.getByRole('dialog').getByRole('option', { selected: true }).innerText()).toContain('Passes')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const active = await field(page).getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).innerText()).toContain('Pass 2')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console/offers/${offerId}`)
    await page.getByText('Pass 2', { exact: true }).waitFor()
    // A slash in a field is text.
    await page.goto(`${opened.service.origin}/console/users`)
    await page.getByLabel('Label').fill('a')
    await page.keyboard.press('/')
    expect(await page.getByLabel('Label').inputValue()).toBe('a/')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(faults).toEqual([])
  })

  const dialogScript = /\/search-[\w-]+\.js$/

  test('what a user types while the dialog loads is in the field', async () => {
    const page = await opened.open('/')
    const typed = Promise.withResolvers<void>()
    await page.route(dialogScript, async (route) => {
      await typed.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Search' }).click()
    await page.keyboard.type('/pax')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    typed.resolve()
    await field(page).waitFor()
    await page.keyboard.type('ss')
    expect(await field(page).inputValue()).toBe('/pass')
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await options(page).nth(3).waitFor()
  })

  test('Escape cancels a search that loads', async () => {
    const page = await opened.open('/')
    await page.route(dialogScript, async (route) => {
      await page.keyboard.press('Escape')
      await route.continue()
    })
    const script = page.waitForResponse(dialogScript)
    await page.keyboard.press('Control+k')
    await page.evaluate((url) => import(url), (await script).url())
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
  })

  test('a user of a mouse finds an object by its id, in German, and nothing else', async () => {
    const { open, faults } = opened
    const page = await open('/', { locale: 'de-DE' })
    await page.getByRole('button', { name: 'Suchen' }).click()
    await field(page).fill(userId)
    await options(page).filter({ hasText: 'Person' }).click()
    await page.waitForURL(`**/console/users/${userId}`)
    await page.getByRole('heading', { level: 1, name: 'Pass 1' }).waitFor()
    await page.keyboard.press('Meta+k')
    await field(page).fill('nothing at all')
    await page.getByText('Nichts gefunden', { exact: false }).waitFor()
    await checkScreen(page, 'search-none')
    expect(faults).toEqual([])
  })

  test('a user finds only what its roles can read', async () => {
    const { open, faults } = opened
    const page = await open('/', { roles: ['dts-consumer'] })
    await page.keyboard.press('Control+K')
    await field(page).fill('pass')
    await options(page).first().waitFor()
    expect(await options(page).locator('span').allInnerTexts()).toEqual(['Passes'])
    const holder = await open('/', { roles: ['holder'] })
    await holder.keyboard.press('Control+k')
    expect(await holder.getByRole('button', { name: 'Search' }).count()).toBe(0)
    expect(await holder.getByRole('dialog').count()).toBe(0)
    expect(faults).toEqual([])
  })
})
