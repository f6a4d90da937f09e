import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { type Console, checkInBothLanguages, checkScreen, startConsole } from './console.ts'

describe('people who only look', { tags: 'chromium' }, () => {
  let opened: Console
  let configurationId: string
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    configurationId = await compactConfiguration(service)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('a viewer sees settings and states, and nothing that it may not do', async () => {
    const { open, service, faults } = opened
    const page = await open('/', { roles: ['viewer'] })
    // Each screen is idle for half a second before it counts as loaded, so several are open at once.
    const others = [await page.context().newPage(), await page.context().newPage(), await page.context().newPage()]
    for (const other of others) other.on('pageerror', ({ message }) => faults.push(message))
    const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
    await menu.first().waitFor()
    const names = await menu.allInnerTexts()
    expect(names).toContain('Configurations')
    for (const hidden of ['Webhooks', 'Offers', 'Users', 'Credentials', 'Bulk issuance'])
      expect(names).not.toContain(hidden)
    await page
      .getByText('Configurations of credentials', { exact: false })
      .or(page.locator('.counts'))
      .first()
      .waitFor()
    await checkScreen(page, 'viewer-overview')
    const paths = [
      ...['configurations', `configurations/compact/${configurationId}`, 'certificates', 'certificates?tab=trusted'],
      ...['ecosystems', 'events', 'status-lists', 'access', 'access?tab=operators'],
      ...[
        'access?tab=wallets',
        'access?tab=wallet-providers',
        'access?tab=haip',
        'access?tab=readers',
        'access?tab=views',
        'access?tab=authorization-servers',
        'access?tab=apps',
      ],
      ...['settings', 'settings?tab=keys', 'settings?tab=dids', 'settings?tab=queues', 'settings?tab=audit'],
    ]
    const screens: Record<string, unknown> = {}
    const look = async (at: Page, path: string) => {
      await at.goto(`${service.origin}/console/${path}`)
      await at.getByRole('heading', { level: 1 }).waitFor()
      await at.waitForLoadState('networkidle')
      const refused = await at.getByText('Your roles do not allow this').count()
      const main = at.locator('main')
      const acting = await main
        .locator('button.primary:visible:not(.filters button), a.button.primary:visible, button.danger:visible')
        .allInnerTexts()
      if (refused > 0 || acting.length > 0) screens[path] = { refused, acting }
    }
    const rest = [...paths]
    const lookAtRest = async (at: Page) => {
      for (let path = rest.shift(); path !== undefined; path = rest.shift()) await look(at, path)
    }
    await Promise.all([page, ...others].map(lookAtRest))
    expect(screens).toEqual({})
    await page.goto(`${service.origin}/console/access`)
    await page.getByRole('link', { name: 'Wallets', exact: true }).waitFor()
    for (const name of ['Claim sources', 'Interaction hook', 'Sign-in of holders'])
      expect(await page.getByRole('link', { name }).count(), name).toBe(0)
    expect(faults).toEqual([])
  })

  test('a viewer who opens the page of a user reads why there is none, and the page asks for no data', async () => {
    const { open, service, faults } = opened
    const { id } = (await service.operator.post('/v1/users', { label: 'Counter 7', claims: { name: 'Ada' } })).body
    const look = async (page: Page, path: string, text: string) => {
      await page.goto('about:blank') // The screen before can still send requests.
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/v')) asked.push(pathname)
      })
      await page.goto(`${service.origin}/console${path}`)
      await page.getByText(text, { exact: false }).first().waitFor()
      // Long enough for a screen that asks again and again.
      await page.waitForTimeout(1_000)
      return asked
    }
    // The frame around each screen asks once which objects are managed by files.
    const ofTheFrame = ['/v1/configuration/objects']
    const viewer = await open('/', { roles: ['viewer'] })
    const lookAsViewer = async (page: Page, path: string) => {
      expect(await look(page, path, 'Your roles do not allow this'), path).toEqual(ofTheFrame)
      expect(await page.getByText(/Counter 7|Ada/).count()).toBe(0)
      expect(await page.getByRole('navigation', { name: 'Sections of this page' }).count()).toBe(0)
    }
    const [first, second] = [await viewer.context().newPage(), await viewer.context().newPage()]
    const admin = await open('/')
    const [, , , asked] = await Promise.all([
      lookAsViewer(first, '/users'),
      lookAsViewer(second, `/users/${id}`),
      lookAsViewer(viewer, `/users/${id}?tab=failures`),
      look(admin, `/users/${id}`, 'Counter 7'),
    ])
    await checkInBothLanguages(viewer, 'viewer-user')
    expect(asked).toContain('/v1/users/search')
    expect(faults).toEqual([])
  })

  test('an auditor lands on the events, and the menu leads to the overview', async () => {
    const { open, faults } = opened
    const page = await open('/', { roles: ['auditor'] })
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Overview' }).click()
    await page.locator('.counts').waitFor()
    expect(await page.getByText('Your roles do not allow this').count()).toBe(0)
    expect(faults).toEqual([])
  })
})
