import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { widths } from '../harness/chromium.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

describe('the menu of a row', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
    const { operator, id } = opened.service
    for (const name of ['First', 'Last']) await operator.post(`/v1/tenants/${id}/clients`, { name, roles: ['auditor'] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const openClients = async () => {
    const page = await opened.open('/access')
    const row = page.getByRole('row', { name: 'First' })
    const [button, menu] = [row.getByRole('button', { name: 'Actions' }), page.getByRole('menu')]
    await button.waitFor()
    return { page, row, button, menu, items: menu.getByRole('menuitem') }
  }
  const focused = 'document.activeElement.innerText'

  test('opens and closes by mouse, and its actions open dialogs', async () => {
    const { page, row, button, menu, items } = await openClients()
    expect(await button.getAttribute('aria-haspopup')).toBe('menu')
    await button.click()
    expect(await items.allInnerTexts()).toEqual(['Edit', 'New secret', 'Delete'])
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    await checkScreen(page, 'row-menu')
    await page.getByRole('heading', { level: 1 }).click()
    await menu.waitFor({ state: 'detached' })
    expect(await row.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await button.click()
    await button.click()
    await menu.waitFor({ state: 'detached' })
    await button.click()
    await items.getByText('Delete').click()
    await page.getByRole('dialog').waitFor()
    expect(await menu.count()).toBe(0)
    await checkScreen(page, 'row-menu-dialog')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => button.evaluate((each) => each.matches(':focus'))).toBe(true)
    expect(opened.faults).toEqual([])
  })

  test('opens, moves and closes by keyboard, and returns the focus', async () => {
    const { page, button, menu } = await openClients()
    const expectFocus = (text: string) => expect.poll(() => page.evaluate(focused)).toBe(text)
    for (const [key, first] of [
      ['Enter', 'Edit'],
      ['Space', 'Edit'],
      ['ArrowDown', 'Edit'],
      ['ArrowUp', 'Delete'],
    ] as const) {
      await button.press(key)
      await expectFocus(first)
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      await expectFocus('⋯')
    }
    await button.press('ArrowDown')
    for (const [key, next] of [
      ['ArrowDown', 'New secret'],
      ['ArrowDown', 'Delete'],
      ['ArrowDown', 'Edit'],
      ['ArrowUp', 'Delete'],
      ['Home', 'Edit'],
      ['End', 'Delete'],
    ] as const) {
      await page.keyboard.press(key)
      await expectFocus(next)
    }
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').press('ArrowDown')
    await page.keyboard.type('First')
    expect(await dialog.getByRole('textbox').inputValue()).toBe('First')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expectFocus('⋯')
    await button.press('Enter')
    await page.keyboard.press('Tab')
    await menu.waitFor({ state: 'detached' })
    expect(await page.evaluate(focused)).not.toBe('⋯')
    expect(opened.faults).toEqual([])
  })

  test('is never cut off, also of the last row and on a phone', async () => {
    const { page, menu, items } = await openClients()
    const buttons = page.getByRole('button', { name: 'Actions' })
    for (const width of widths)
      for (const height of [400, 900]) {
        await page.setViewportSize({ width, height })
        for (const button of [buttons.first(), buttons.last()]) {
          await button.click()
          await expect.poll(() => items.count()).toBe(3)
          const box = await menu.boundingBox()
          const of = { width, height, box }
          expect(of).toSatisfy(() => !!box && box.x >= 0 && box.y >= 0)
          expect(of).toSatisfy(() => !!box && box.x + box.width <= width && box.y + box.height <= height)
          await items.last().click({ trial: true })
          expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width])
          await page.keyboard.press('Escape')
        }
      }
    expect(opened.faults).toEqual([])
  })
})
