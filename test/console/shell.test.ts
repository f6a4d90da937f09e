import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsoleLink } from '../../api/console/links/create-link.ts'
import { builtFolder } from '../../api/console/pages/built.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

const languages = readdirSync(join(import.meta.dirname, '../../api/console/app/languages')).map((name) =>
  basename(name, '.json'),
)

/** Runs in a page. Returns each word of the menu's name of the tenant, with the number of lines that it is on. */
const linesOfWords = `(() => {
  const text = document.querySelector('.menu summary strong').firstChild
  return [...text.data.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return [word, new Set([...range.getClientRects()].map(({ top }) => top)).size]
  })
})()`

describe('the console in a real browser', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('the scripts have at most 30 KB compressed in the first view, 40 KB for a language, 160 KB in all, and 40 KB for the reader of files', () => {
    const index = readFileSync(join(builtFolder, 'index.html'), 'utf8')
    const assets = join(builtFolder, 'assets')
    const sizes = readdirSync(assets)
      .filter((name) => name.endsWith('.js.gz'))
      .map((name) => ({
        isFirst: index.includes(name.slice(0, -3)),
        // A browser loads it when a file is chosen.
        isReader: name.startsWith('read-start-'),
        // A browser loads one of them.
        isLanguage: languages.includes(name.slice(0, 2)),
        bytes: readFileSync(join(assets, name)).length,
      }))
    const total = (of: typeof sizes) => of.reduce((sum, { bytes }) => sum + bytes, 0)
    const first = sizes.filter(({ isFirst }) => isFirst)
    expect(first.length).toBeGreaterThan(0)
    expect(total(first)).toBeLessThan(30_000)
    const ofLanguages = sizes.filter(({ isLanguage }) => isLanguage)
    expect(ofLanguages).toHaveLength(languages.length)
    expect(Math.max(...ofLanguages.map(({ bytes }) => bytes))).toBeLessThan(40_000)
    const readers = sizes.filter(({ isReader }) => isReader)
    expect(readers).toHaveLength(1)
    expect(total(readers)).toBeLessThan(40_000)
    expect(total(sizes) - total(readers) - total(ofLanguages)).toBeLessThan(160_000)
  })

  test('a user without a session signs in, reaches the requested page and signs out', async () => {
    const { service, open, faults } = opened
    const page = await open('/offers', { isAnonymous: true })
    await checkScreen(page, 'sign-in')
    await page.getByLabel('Client id').fill(service.clientId)
    await page.getByLabel('Client secret').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('No client of this host has this id and this secret.').waitFor()
    await page.getByLabel('Client secret').fill(service.clientSecret)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Offers' }).waitFor()

    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { level: 1, name: 'Angebote' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Angebote' }).waitFor()
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
    expect(faults).toEqual([])
  })

  test('the menu shows each word of the name of the tenant on one line, and the whole name in a tooltip', async () => {
    const { service, open } = opened
    for (const name of ['Studierendenausweis der Universitätsbibliothek', 'Donaudampfschifffahrtsgesellschaft']) {
      await service.operator.put('/v1/settings?partial=true', { name })
      const page = await open('/')
      expect(await page.evaluate(linesOfWords)).toEqual(name.split(' ').map((word) => [word, 1]))
      expect(await page.locator('.menu summary strong').getAttribute('title')).toBe(name)
    }
  })

  test('an object is created once although the response is lost', async () => {
    const { service, open, faults } = opened
    const page = await open('/webhooks/new')
    let lost = 0
    await page.route('**/v1/webhooks', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue()
      lost++
      await route.fetch()
      await route.abort()
    })
    await page.getByLabel('Address').fill('https://receiver.example.org/hook')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
    expect(lost).toBe(1)
    expect((await service.operator.get('/v1/webhooks')).body.data).toHaveLength(1)
    expect(faults).toEqual([])
  })

  test('a link signs in once, and its secret is not in the history', async () => {
    const { service, open, faults } = opened
    const { clientId, origin: baseUrl } = service
    const link = new URL(await createConsoleLink(service.deps, service.id, { clientId, baseUrl }))
    const page = await open(`/${link.hash}`, { isAnonymous: true })
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${baseUrl}/console/`)
    const late = await open(`/${link.hash}`, { isAnonymous: true })
    await late.getByText('This link was already used').waitFor()
    expect(late.url()).toBe(`${baseUrl}/console/`)
    expect(faults).toEqual([])
  })

  test('a page without user activity polls without extending the session', async () => {
    const { open } = opened
    const page = await open('/offers')
    await page.clock.install()
    await page.reload()
    await page.getByText('No offer yet').waitFor()
    /**
     * Advances the clock until the page sends such a request. The time of the next poll depends on when the last answer
     * arrived.
     */
    const runUntilRequest = async (header: string, touch: () => Promise<void>) => {
      let isSent = false
      const watch = (request: Request) => {
        isSent ||= request.url().includes('/v1/openid/offers') && request.headers()['x-console'] === header
      }
      page.on('request', watch)
      while (!isSent) {
        await touch()
        await page.clock.runFor(5_000)
      }
      page.off('request', watch)
    }
    await runUntilRequest('poll', async () => undefined)
    await runUntilRequest('1', () => page.keyboard.press('Tab'))
  })

  test('a user whose session ended signs in over the screen and continues there', async () => {
    const { open, service, faults } = opened
    const page = await open('/offers')
    await page.clock.install()
    await page.reload()
    await page.getByText('No offer yet').waitFor()
    await page.context().clearCookies()
    await page.getByLabel('State').selectOption('collected')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await checkScreen(page, 'sign-in-again')
    // Until the sign-in the page sends no request, because each would count as a wrong secret of the address.
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.clock.runFor(30_000)
    expect(requested.filter((url) => url.includes('/v1/'))).toEqual([])
    // The user cannot close the dialog, because nothing behind it works.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Client secret').fill(service.clientSecret)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('No offer is in this state.').waitFor()
    expect(faults).toEqual([])
  })

  test('a dialog has the focus as soon as it is in the document', async () => {
    const { open, faults } = opened
    const page = await open('/certificates')
    await page.getByRole('button', { name: 'New IACA' }).waitFor()
    const hasKeys = await page.evaluate(`new Promise((resolve) => {
      const check = () => {
        const dialog = document.querySelector('dialog')
        if (dialog) resolve(dialog.contains(document.activeElement))
      }
      new MutationObserver(check).observe(document.body, { childList: true, subtree: true })
      Array.from(document.querySelectorAll('button')).find((button) => button.innerText === 'New IACA').click()
    })`)
    expect(hasKeys).toBe(true)
    expect(faults).toEqual([])
  })

  test('an unreachable service shows a message and a button to try again', async () => {
    const { open } = opened
    const page = await open('/offers')
    await page.getByText('No offer yet').waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('State').selectOption('collected')
    await page.getByText('The service cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No offer is in this state.').waitFor()
  })

  test('a page of a sign-in proxy with status 200 shows an error, and no view waits forever', async () => {
    const { open, service } = opened
    const page = await open('/offers')
    await page.getByText('No offer yet').waitFor()
    const proxied = async (url: string) => {
      const answers = ['text/html; charset=utf-8', 'application/json']
      await page.route(url, (route) =>
        route.fulfill({ status: 200, contentType: answers.shift() ?? 'text/html', body: '<form>Sign in</form>' }),
      )
    }
    const alert = page.getByRole('alert').filter({ hasText: 'did not come from the service' })
    await proxied('**/v1/openid/offers*')
    await page.getByLabel('State').selectOption('collected')
    await alert.waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor()
    await checkScreen(page, 'foreign-answer')
    await page.unroute('**/v1/openid/offers*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No offer is in this state.').waitFor()

    await page.goto(`${service.origin}/console/webhooks/new`)
    await page.getByLabel('Address').fill('https://hooks.example.org/credentials')
    await proxied('**/v1/webhooks')
    for (const _ of ['a page', 'no JSON']) {
      await page.getByRole('button', { name: 'Create' }).click()
      await alert.waitFor()
    }
    await page.unroute('**/v1/webhooks')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Nothing was sent yet').waitFor()

    await proxied('**/console/session')
    await page.reload()
    await alert.waitFor()
    await page.unroute('**/console/session')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
  })
})
