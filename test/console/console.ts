import { buffer } from 'node:stream/consumers'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { buildConsole } from '../../api/console/build.ts'
import { createApi } from '../harness/api-client.ts'
import { checkPage, openBrowser, widths } from '../harness/chromium.ts'
import { type Service, type ServiceOptions, startService } from '../harness/harness.ts'

/** The service, and a browser in which its operators sign in at the console. */
export interface Console {
  service: Service
  browser: Browser
  /**
   * Opens a page in its own browser context, signed in as a client with these roles (`admin`), at a path below
   * `/console`.
   */
  open(path: string, options?: OpenOptions): Promise<Page>
  /** Errors of scripts and requests to other hosts in all pages. Each test file expects none. */
  faults: string[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface OpenOptions extends BrowserContextOptions {
  roles?: string[]
  /** Opens the page without a session. */
  isAnonymous?: true
  /** The platform's host instead of the tenant's. */
  host?: 'platform'
}

/** The width of a desktop. The height is small, because drawing costs time. */
const viewport = { width: 1280, height: 450 }

/** Starts the service and a browser for a whole test file, because a start takes a second or two. */
export async function startConsole(options: ServiceOptions = {}): Promise<Console> {
  const [service, browser] = await Promise.all([startService(options), openBrowser(), buildConsole()])
  const faults: string[] = []

  async function open(path: string, { roles, isAnonymous, host, ...of }: OpenOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport, locale: 'en-GB', ...of })
    // Chromium resolves all hosts below `localhost` to this machine.
    const origin = host === 'platform' ? `http://${service.deps.config.platformHost}` : service.origin
    if (host === 'platform') await context.addCookies([await signInAtPlatform(service)])
    else if (!isAnonymous) {
      const client = roles ? await newClient(service, roles) : service
      const { clientId, clientSecret } = client
      const signedIn = await context.request.post(`${service.origin}/console/session`, {
        headers: { 'X-Console': '1' },
        data: { clientId, clientSecret },
      })
      expect(signedIn.status()).toBe(201)
    }
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) faults.push(request.url())
    })
    // The browser also reports refused requests. Each screen shows them itself.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text())
    })
    await page.goto(`${origin}/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  return {
    service,
    browser,
    open,
    faults,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

async function signInAtPlatform({ platform, origin, deps }: Service) {
  const { platformHost } = deps.config
  const { body: own } = await platform.get('/console/session')
  const made = await platform.post(`/v1/tenants/${own.tenantId}/clients`, { name: 'Console', roles: ['platform'] })
  const { clientId, clientSecret } = made.body
  const anonymous = createApi(origin, platformHost)
  const { status, headers } = await anonymous.post('/console/session', { clientId, clientSecret }, { 'X-Console': '1' })
  expect(status).toBe(201)
  const [name = '', value = ''] = String(headers['set-cookie']).split(';')[0]?.split('=') ?? []
  return { name, value, url: `http://${platformHost}`, sameSite: 'Strict' as const, httpOnly: true }
}

async function newClient(
  { operator, id }: Service,
  roles: string[],
): Promise<{ clientId: string; clientSecret: string }> {
  const { status, body } = await operator.post(`/v1/tenants/${id}/clients`, { name: roles.join(' and '), roles })
  expect(status).toBe(201)
  return body
}

/** Checks the layout of a screen in each size and colour scheme, as soon as the screen has its heading. */
export async function checkScreen(page: Page, name: string): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await checkPage(page, `console-${name}`)
  await page.setViewportSize(viewport)
}

/**
 * Checks a screen like `checkScreen`, and at all widths in English and German. The page is in English. It is reloaded in no case, so that
 * typed values stay.
 */
export async function checkInBothLanguages(page: Page, name: string): Promise<void> {
  await checkScreen(page, name)
  const language = page.locator('.menu select')
  await language.selectOption('de')
  await page.locator('html[lang=de]').waitFor()
  await checkWidths(page)
  await language.selectOption('en')
  await page.locator('html[lang=en]').waitFor()
}

/** Nothing may be wider than the screen. */
async function checkWidths(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width])
  }
  await page.setViewportSize(viewport)
}

/** Chooses an action in the menu of a row. Of a page it is the first menu. */
export async function chooseInMenu(of: Page | Locator, name: string, isByKeyboard = false): Promise<void> {
  const menu = of.getByRole('button', { name: /^(Actions|Aktionen)$/ }).first()
  const action = of.getByRole('menuitem', { name })
  for (const each of [menu, action]) await (isByKeyboard ? each.press('Enter') : each.click())
}

/** Runs `act` before the response to the page's request arrives. */
export async function beforeAnswer(page: Page, url: string, act: () => Promise<unknown>): Promise<void> {
  const acted = Promise.withResolvers<void>()
  await page.route(url, (route) => acted.promise.then(() => route.continue()))
  await act()
  acted.resolve()
}

/** Returns the file that the page saves during `act`. */
export async function savedBy(page: Page, act: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return buffer(await download.createReadStream())
}
