import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addIssued } from '../../db/repos/operations/issued-days.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { statusBulks } from '../../db/tables/status/bulks.ts'
import { publishedLists } from '../../db/tables/status/published-lists.ts'
import { plusMs } from '../../shared/clock.ts'
import { newIaca } from '../certificates/hierarchy.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { newCredentials, newList } from '../harness/revocable.ts'
import { type Console, checkInBothLanguages, checkScreen, startConsole } from './console.ts'

const day = 86_400_000
const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('the overview page', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    // The workers that would do the overdue work are not started.
    opened = await startConsole({ roles: ['signing', 'analytics'] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  /** Simulates a return to the tab, which reloads the data. */
  const returnToTab = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

  test('a new tenant sees the steps to a first credential, and each step is ticked', async () => {
    const { service, open, faults } = opened
    const page = await open('/')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.getByText('Nothing needs attention.').waitFor()
    await checkInBothLanguages(page, 'overview-new')
    const hrefs = () => page.locator('.steps a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    const all = ['/configurations/new', '/offers/new', '/offers', '/webhooks/new', '/settings']
    expect(await hrefs()).toEqual(all.map((path) => `/console${path}`))

    const { data: without } = (await service.operator.get('/v1/overview/signing-roots')).body
    expect(without).toMatchObject([{ missing: expect.any(String) }, { missing: expect.any(String) }])
    await page.getByRole('button', { name: 'Create the root certificate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Country').fill('NZ')
    await dialog.getByRole('button', { name: 'Create the root certificate' }).click()
    await page.locator('.steps .done', { hasText: 'Create the root certificate' }).waitFor()
    const { data: roots } = (await service.operator.get('/v1/overview/signing-roots')).body
    const root = { country: 'NZ', commonName: expect.stringMatching(/ root$/), signerId: expect.any(String) }
    expect(roots).toMatchObject([
      { profile: 'mobile', ...root },
      { profile: 'sd-jwt', ...root },
    ])

    const configurationId = await compactConfiguration(service)
    await returnToTab(page)
    await page.locator('.steps .primary', { hasText: 'New offer' }).waitFor()
    const { id } = await newOffer(service, [configurationId])
    await returnToTab(page)
    await page.locator('.steps .primary', { hasText: 'Open the offer' }).waitFor()
    expect((await hrefs())[0]).toBe(`/console/offers/${id}`)
    expect(await page.locator('.steps .done').count()).toBe(3)

    const hook = { events: ['OpenIdCredentialIssued'], url: 'https://receiver.example/hook' }
    const { body: webhook } = await service.operator.post('/v1/webhooks', hook)
    await service.operator.put('/v1/settings', { branding: { accentColor: '#0b5c55' } })
    await page.reload()
    await page.locator('.steps .done').nth(4).waitFor()
    await page.locator('.facts').getByText(roots[0].commonName).first().waitFor()
    await newCredentials(service, service.id, { listId: await newList(service, service.id), count: 1 })
    await returnToTab(page)
    await page.getByText('All steps are done.').waitFor()
    await page.reload()
    await page.getByText('Collected credentials').waitFor()
    expect(await page.locator('.steps').count()).toBe(0)
    await service.operator.delete(`/v1/webhooks/${webhook.id}`)
    expect(faults).toEqual([])
  })

  test('a user hides the steps by keyboard, and an issuer sees none that only an admin may do', async () => {
    const { open, faults } = opened
    const page = await open('/', { roles: ['issuer'] })
    await page.locator('.steps li').nth(4).waitFor()
    expect(await page.locator('.steps li').count()).toBe(5)
    await page.getByRole('button', { name: 'Hide' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.steps').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Collected credentials').waitFor()
    expect(await page.locator('.steps').count()).toBe(0)
    const viewer = await open('/', { roles: ['viewer'] })
    await viewer.getByText('Collected credentials').waitFor()
    expect(await viewer.locator('.steps').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('concerns come first, the most urgent at the top, with links', async () => {
    const { service, open, faults } = opened
    const at = service.clock.now()
    const iaca = await newIaca(service)
    const hook = { events: ['OpenIdCredentialIssued'], url: 'https://receiver.example/hook' }
    const { body: webhook } = await service.operator.post('/v1/webhooks', hook)
    await service.deps.db.tx(async (tx) => {
      await tx
        .update(certificates)
        .set({ notAfter: plusMs(at, 45.5 * day) })
        .where(eq(certificates.id, iaca.id))
      await tx.update(webhooks).set({ failures: 3, failingSince: plusMs(at, -2.5 * day), url: `${hook.url}${canary}` })
      const bulk = { isRevoked: true, state: 'pending' as const, total: 1, done: 0, failed: [] }
      await tx
        .insert(statusBulks)
        .values({ ...bulk, id: iaca.id, tenantId: service.id, createdAt: plusMs(at, -day / 8) })
      await tx.update(publishedLists).set({ renewAt: plusMs(at, -day / 144) })
      await addIssued(
        tx,
        [0, 1, 1, 3, 3, 3, 8, 20].map((days) => ({ tenantId: service.id, at: plusMs(at, -days * day) })),
      )
    })
    const page = await open('/')
    const concerns = page.locator('.concerns li')
    await concerns.nth(3).waitFor()
    expect(await concerns.allInnerTexts()).toMatchObject([
      expect.stringMatching(/critical\s+A webhook failed 3 times in a row\. First failure: 2 days ago/),
      expect.stringMatching(/warning\s+A status list was not renewed\. It was due 10 minutes ago/),
      expect.stringMatching(/warning\s+Bulk requests are waiting\. The oldest was due 3 hours ago/),
      expect.stringMatching(/notice\s+A root certificate for mobile credentials \(IACA\) expires in 45 days/),
    ])
    const hrefs = await concerns.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(hrefs).toEqual([
      `/console/webhooks/${webhook.id}`,
      '/console/status-lists',
      '/console/settings?tab=queues',
      `/console/certificates/iaca/${iaca.id}`,
    ])
    await page.getByText('8 in 30 days. The maximum was 3').waitFor()
    await checkScreen(page, 'overview')
    await page.getByLabel('Period').focus()
    await page.keyboard.press('Home')
    await page.getByText('6 in 7 days').waitFor()
    await page.reload()
    await page.getByText('6 in 7 days').waitFor()
    expect(
      await page
        .getByRole('img', { name: /^Issuances/ })
        .locator('.bars g')
        .count(),
    ).toBe(7)
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByText('läuft ab in 45 Tagen').waitFor()
    expect(faults).toEqual([])
  })

  test('a user sees only the parts of their role, and the page requests no others', async () => {
    const { open, faults } = opened
    const requested: string[] = []
    const page = await open('/', { roles: ['dts-consumer'] })
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByText('Nothing needs attention.').waitFor()
    await page.getByText('Participants').waitFor()
    expect(await page.getByText('Issuances').count()).toBe(0)
    // The requests of the first load can be recorded too. Each screen reads which objects are managed by files.
    expect([...new Set(requested)].filter((path) => path.startsWith('/v1/overview/')).sort()).toEqual(
      ['certificates', 'counts', 'integrations', 'jobs', 'publications'].map((part) => `/v1/overview/${part}`),
    )
    const verifier = await open('/', { roles: ['verifier'] })
    await verifier.getByText('This page has no data for your roles').waitFor()
    expect(faults).toEqual([])
  })
})
