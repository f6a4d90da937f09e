import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, startConsole } from './console.ts'

/**
 * A script that types into a field as soon as it is in the page, before the effects of its first rendering. It runs in the page, because an
 * action of Playwright would come later.
 */
const typeEarly = (label: string, text: string) => `
  const observer = new MutationObserver(() => {
    const labels = [...document.querySelectorAll('form.filters label')]
    const input = labels.find((each) => each.textContent.startsWith(${JSON.stringify(label)}))?.querySelector('input')
    if (!input) return
    observer.disconnect()
    input.value = ${JSON.stringify(text)}
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  observer.observe(document, { childList: true, subtree: true })
`

describe('what a person types before the first effect of a form stays', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  test.each([
    ['users', '/users', 'Has the value'],
    ['credentials', '/credentials', 'Type'],
  ])('in the search of %s', async (_what, path, label) => {
    const page = await opened.open('/')
    await page.addInitScript({ content: typeEarly(label, 'Lovelace') })
    await page.goto(new URL(`/console${path}`, page.url()).href)
    const field = page.locator('form.filters').getByLabel(label)
    await field.waitFor()
    // The next change of the form renders it with all that was typed.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)))
    expect(await field.inputValue()).toBe('Lovelace')
  })
})
