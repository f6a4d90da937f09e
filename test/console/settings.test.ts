import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { statusBulks } from '../../db/tables/status/bulks.ts'
import { tenants } from '../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { Service } from '../harness/harness.ts'
import { type Console, checkInBothLanguages, checkScreen, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

/** Adds work without a worker: a bulk request that is a day late, and deliveries that wait for their next attempt. */
async function addWaitingWork({ operator, id: tenantId, clock, deps }: Service) {
  const url = 'https://receiver.example/hook'
  const { body } = await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
  const at = clock.now()
  await deps.db.tx(async (tx) => {
    const bulk = { isRevoked: true, state: 'pending' as const, total: 1, done: 0, failed: [] }
    await tx.insert(statusBulks).values({ ...bulk, id: newId(), tenantId, createdAt: plusMs(at, -2 * 86_400_000) })
    for (const hours of [2, 3]) {
      const event = { webhookId: body.id, eventId: newId(), kind: 'OpenIdCredentialIssued' as const, eventAt: at }
      const pending = { state: 'pending' as const, attempts: [], attemptsMade: 1, createdAt: at }
      const nextAttemptAt = plusMs(at, hours * 3_600_000)
      await tx.insert(deliveries).values({ ...event, ...pending, id: newId(), tenantId, nextAttemptAt })
    }
  })
}

const paintOf = (name: string) => `getComputedStyle(document.querySelector('.branding .${name}')).backgroundColor`

describe('settings, and tenants on the host of the platform', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole({ roles: ['signing', 'analytics'] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an admin reads settings and branding, replaces keys and sees DIDs and health', async () => {
    const { service, open, faults } = opened
    const branding = { backgroundColor: '#1f4e79', accentColor: '#ffcc00', names: [{ name: canary, locale: 'de' }] }
    await service.platform.put(`/v1/tenants/${service.id}`, { name: canary, branding })
    const page = await open('/settings')
    await page.getByText('The operator of this installation sets these').waitFor()
    await page.getByText('Only on request (default)').first().waitFor()
    expect(await page.getByText('not set', { exact: true }).count()).toBe(0)
    const paints = (name: string) => page.evaluate(paintOf(name))
    await page.locator('.branding .sample').waitFor()
    await expect
      .poll(async () => [await paints('issuer'), await paints('sample')])
      .toEqual(['rgb(31, 78, 121)', 'rgb(255, 204, 0)'])
    expect(await page.locator('main img, main script').count()).toBe(0)
    await checkScreen(page, 'settings')
    // On a wide screen each field is a row, with its name on the left.
    const accent = page.getByLabel('Buttons and links')
    const row = page.locator('.field').filter({ has: accent })
    const [label, field] = [await row.locator('label').boundingBox(), await accent.boundingBox()]
    expect(label!.x + label!.width).toBeLessThan(field!.x)
    expect(Math.abs(label!.y - field!.y)).toBeLessThan(16)
    const heights = await page
      .locator('.with-preview .field input:not([type=file])')
      .evaluateAll((inputs) => inputs.map((each) => each.clientHeight))
    expect(Math.max(...heights)).toBeLessThan(48)
    await accent.fill('#0b6e4f')
    await expect.poll(() => paints('sample')).toBe('rgb(11, 110, 79)')
    const logo = page.getByLabel('Logo: from a file')
    const [address, file] = [
      await page.locator('.field').filter({ has: logo }).locator('input:not([type=file])').boundingBox(),
      await logo.boundingBox(),
    ]
    expect(address!.y + address!.height).toBeLessThanOrEqual(file!.y)
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } })
    await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await page.getByText('Must be a PNG, JPEG or WebP picture').waitFor()
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture })
    await expect.poll(() => page.getByLabel('Logo', { exact: false }).first().inputValue()).toMatch(/\/o\/logos\//)
    await page.getByRole('button', { name: 'Preview the offer page' }).press('Enter')
    for (const device of ['On a phone', 'On a desktop']) {
      const element = await page.locator(`iframe[title="${device}"]`).elementHandle()
      const frame = await element?.contentFrame()
      await frame?.locator('.issuer', { hasText: canary }).waitFor()
      await expect.poll(() => frame?.evaluate("document.querySelector('main > img').naturalWidth")).toBe(64)
      expect(await frame?.evaluate("getComputedStyle(document.querySelector('a.action')).backgroundColor")).toBe(
        'rgb(11, 110, 79)',
      )
    }
    await checkInBothLanguages(page, 'settings-preview')
    expect((await service.operator.get('/v1/settings')).body.branding).toEqual(branding)
    await page.getByLabel('Offers without a view').selectOption('Of the first view that fits')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await service.operator.get('/v1/settings')).body).toMatchObject({
      name: canary,
      branding: { ...branding, accentColor: '#0b6e4f' },
      defaultView: 'fitting',
    })

    // By keyboard only.
    await page.getByRole('link', { name: 'Keys' }).focus()
    await page.keyboard.press('Enter')
    const webhooks = page.locator('section', { has: page.getByRole('heading', { name: 'Webhooks' }) })
    await webhooks.getByRole('button', { name: 'Rotate' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Receivers that cache keys').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('The new key is in use').waitFor()
    await webhooks.getByText('replaced').waitFor()
    const { body } = await service.operator.get('/v1/keys')
    expect(body.data.filter(({ purpose }: { purpose: string }) => purpose === 'webhooks')).toHaveLength(2)
    await checkScreen(page, 'keys')

    await page.getByRole('link', { name: 'DIDs' }).click()
    await page.getByText('Document', { exact: true }).click()
    await page.getByText(`"id": "${service.did}"`).waitFor()
    await checkScreen(page, 'dids')
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('This process is ready.').waitFor()
    await addWaitingWork(service)
    await page.getByRole('link', { name: 'Queues' }).click()
    const late = page.getByRole('row', { name: 'Bulk requests' })
    await late.getByText('very late').waitFor()
    await page.getByRole('row', { name: 'Webhook deliveries' }).getByText('2 in all').waitFor()
    await page.getByRole('row', { name: 'Messages to other services' }).getByText('nothing is waiting').waitFor()
    await page.getByText('No list is due.').waitFor()
    await checkScreen(page, 'queues')
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByText('Dieser Prozess ist bereit.').waitFor()
    await page.getByText('erreichbar').first().waitFor()
    const verifier = await open('/settings', { roles: ['verifier'] })
    await verifier.getByText('Document', { exact: true }).waitFor()
    expect(await verifier.locator('.tabs a').allInnerTexts()).toEqual(['DIDs', 'Health'])
    expect(faults).toEqual([])
  })

  test('a platform user creates a tenant, configures it, adds a client and deletes the tenant', async () => {
    const { service, open, faults } = opened
    const page = await open('/', { host: 'platform' })
    await page.getByRole('cell', { name: canary }).waitFor()
    await checkScreen(page, 'tenants')
    const links = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
    await links.first().waitFor()
    expect(await links.allInnerTexts()).toEqual(['Tenants', 'Service', 'API reference ↗'])
    await service.deps.bus.queue('upkeep').add('none', {})
    await links.nth(1).click()
    await page.getByText('no worker for signing-bulk, publishing').waitFor()
    const cells = await page.getByRole('row', { name: 'upkeep' }).getByRole('cell').allInnerTexts()
    expect([cells[1], cells[6]]).toEqual(['1', 'none'])
    await checkScreen(page, 'service')
    await links.first().click()

    await page.getByRole('link', { name: 'New tenant' }).click()
    await page.getByLabel('Name').fill('College')
    await page.getByLabel('Subdomain').fill('Not a label')
    await page.keyboard.press('Enter')
    await page.getByText('Must be a DNS label in lower case').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('College')
    await page.getByLabel('Subdomain').fill('college')
    await page.getByLabel('Create the root certificate').check()
    await page.keyboard.press('Enter')
    await page.getByText('Required with createRoot').waitFor()
    await page.getByLabel('Country of the root certificate').fill('GB')
    await page.keyboard.press('Enter')
    await page.getByText('This secret is shown only once.').waitFor()
    expect(await page.locator('.secret code').innerText()).toMatch(/^[\w-]{43}$/)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'College' }).waitFor()

    const [row] = await service.deps.db.read.select().from(tenants).where(eq(tenants.subdomain, 'college'))
    const path = `/v1/tenants/${row?.id}`
    await page.getByLabel('Buttons and links').fill('#00aa00')
    await expect.poll(() => page.evaluate(paintOf('sample'))).toBe('rgb(0, 170, 0)')
    await checkScreen(page, 'tenant')
    await service.platform.put(path, { maxCredentialsPerSession: 7 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another user has changed this in the meantime.').waitFor()
    expect(await page.getByLabel('Buttons and links').inputValue()).toBe('#00aa00')
    await page.getByRole('button', { name: 'Show the current version' }).click()
    await expect.poll(() => page.getByLabel('Credentials per sign-in').inputValue()).toBe('7')
    await page.getByLabel('Buttons and links').fill('#00aa00')
    await page.getByLabel('Limits').fill('{"webhooks": 5}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const changed = { maxCredentialsPerSession: 7, branding: { accentColor: '#00aa00' }, limits: { webhooks: 5 } }
    expect(await service.platform.get(path)).toMatchObject({ body: changed })

    await page.getByRole('link', { name: 'Clients' }).click()
    await page.getByRole('button', { name: 'New client' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(canary)
    await dialog.getByLabel('Role').selectOption('auditor')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('This secret is shown only once.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: canary }).waitFor()
    await checkScreen(page, 'tenant-clients')

    await page.getByRole('button', { name: 'Delete the tenant' }).click()
    await dialog.getByLabel('to confirm').fill('college')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
    expect(await service.platform.get(path)).toMatchObject({ status: 404 })
    await page.getByRole('link', { name: 'Clients of the platform' }).click()
    await page.getByRole('cell', { name: 'platform', exact: true }).first().waitFor()
    expect(faults).toEqual([])
  })
})
