import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsoleLink } from '../../api/console/links/create-link.ts'
import { builtFolder } from '../../api/console/pages/built.ts'
import { hasChromium } from '../harness/chromium.ts'
import { type Console, lookAtScreen, startConsole } from './console.ts'

describe.skipIf(!hasChromium)('the console, in a real browser', () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('the first view has at most 60 KB of script, all of it at most 150 KB, as they are sent', () => {
    const index = readFileSync(join(builtFolder, 'index.html'), 'utf8')
    const assets = join(builtFolder, 'assets')
    const sizes = readdirSync(assets)
      .filter((name) => name.endsWith('.js.gz'))
      .map((name) => ({
        isFirst: index.includes(name.slice(0, -3)),
        bytes: readFileSync(join(assets, name)).length,
      }))
    const total = (of: typeof sizes) => of.reduce((sum, { bytes }) => sum + bytes, 0)
    const first = sizes.filter(({ isFirst }) => isFirst)
    expect(first.length).toBeGreaterThan(0)
    expect(total(first)).toBeLessThan(60_000)
    expect(total(sizes)).toBeLessThan(150_000)
  })

  test('whoever is not signed in signs in where they wanted to go, and out again', async () => {
    const { service, open, faults } = opened
    const page = await open('/offers', { isAnonymous: true })
    await lookAtScreen(page, 'sign-in')
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

  test('a link signs in once, and what signs in is not in the history', async () => {
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

  test('what it asks while nobody touches it is no use of the session', async () => {
    const { open } = opened
    const page = await open('/offers')
    await page.clock.install()
    await page.reload()
    await page.getByText('No offer yet').waitFor()
    /** Lets time go on until it asks so: the next time that it asks is counted from an answer, which takes as long as it takes. */
    const asks = async (told: string, touch: () => Promise<void>) => {
      let isAsked = false
      const watch = (request: Request) => {
        isAsked ||= request.url().includes('/v1/openid/offers') && request.headers()['x-console'] === told
      }
      page.on('request', watch)
      while (!isAsked) {
        await touch()
        await page.clock.runFor(5_000)
      }
      page.off('request', watch)
    }
    await asks('poll', async () => undefined)
    await asks('1', () => page.keyboard.press('Tab'))
  })

  test('a session that has ended is begun again over the screen, which goes on', async () => {
    const { open, service, faults } = opened
    const page = await open('/offers')
    await page.clock.install()
    await page.reload()
    await page.getByText('No offer yet').waitFor()
    await page.context().clearCookies()
    await page.getByLabel('State').selectOption('collected')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await lookAtScreen(page, 'sign-in-again')
    // Until then it asks nothing: each would count as a wrong secret of this address.
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.clock.runFor(30_000)
    expect(asked.filter((url) => url.includes('/v1/'))).toEqual([])
    // It cannot be closed: nothing behind it works.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Client secret').fill(service.clientSecret)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('No offer is in this state.').waitFor()
    expect(faults).toEqual([])
  })

  test('a dialog has the keys from the moment it is there: none that is pressed at once is lost', async () => {
    const { open, faults } = opened
    const page = await open('/certificates')
    await page.getByRole('button', { name: 'New IACA' }).waitFor()
    const hasKeys = await page.evaluate(`new Promise((resolve) => {
      const look = () => {
        const dialog = document.querySelector('dialog')
        if (dialog) resolve(dialog.contains(document.activeElement))
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
      Array.from(document.querySelectorAll('button')).find((button) => button.innerText === 'New IACA').click()
    })`)
    expect(hasKeys).toBe(true)
    expect(faults).toEqual([])
  })

  test('a service that cannot be reached is told in a sentence, with a way on', async () => {
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

  test('an answer of 200 that is a page of a sign-in proxy is told, and nothing waits for ever', async () => {
    const { open, service } = opened
    const page = await open('/offers')
    await page.getByText('No offer yet').waitFor()
    const proxied = async (url: string) => {
      const answers = ['text/html; charset=utf-8', 'application/json']
      await page.route(url, (route) =>
        route.fulfill({ status: 200, contentType: answers.shift() ?? 'text/html', body: '<form>Sign in</form>' }),
      )
    }
    const told = page.getByRole('alert').filter({ hasText: 'did not come from the service' })
    await proxied('**/v1/openid/offers*')
    await page.getByLabel('State').selectOption('collected')
    await told.waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await told.waitFor()
    await lookAtScreen(page, 'foreign-answer')
    await page.unroute('**/v1/openid/offers*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No offer is in this state.').waitFor()

    await page.goto(`${service.origin}/console/webhooks/new`)
    await page.getByLabel('Address').fill('https://hooks.example.org/credentials')
    await proxied('**/v1/webhooks')
    for (const _ of ['a page', 'no JSON']) {
      await page.getByRole('button', { name: 'Create' }).click()
      await told.waitFor()
    }
    await page.unroute('**/v1/webhooks')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Nothing was sent yet').waitFor()

    await proxied('**/console/session')
    await page.reload()
    await told.waitFor()
    await page.unroute('**/console/session')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
  })
})
