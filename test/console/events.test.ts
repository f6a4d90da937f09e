import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { categoryGroups } from '../../api/console/app/screens/events/categories.ts'
import { tags } from '../../api/operations/reference/tags.ts'
import { insertEvents } from '../../db/repos/operations/search/events.ts'
import { eventually } from '../harness/harness.ts'
import { type Console, checkScreen, savedBy, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

test('the filter offers the categories of events: the groups of the reference and the audit', () => {
  const ofOperations = tags.map(({ name }) => name.toUpperCase().replaceAll(/[^A-Z]+/g, '_'))
  expect(categoryGroups.flatMap(({ of }) => of).sort()).toEqual([...new Set(['AUDIT', ...ofOperations])].sort())
})

describe('events', { tags: 'chromium' }, () => {
  let opened: Console
  let userId: string
  let requestId: string
  beforeAll(async () => {
    opened = await startConsole({ roles: ['signing', 'analytics'] })
    const { operator, id: tenantId, deps } = opened.service
    const created = await operator.post('/v1/users', { claims: {} })
    userId = created.body.id
    requestId = String(created.headers['x-request-id'])
    const timestamp = deps.clock.now().toISOString()
    const foreign = { id: randomUUID(), tenantId, type: 'OPENID_TOKEN_FAIL', category: 'OPENID_VCI', timestamp }
    const data = { error: canary, [canary]: 1 }
    await deps.db.tx((tx) => insertEvents(tx, [{ ...foreign, requestId: randomUUID(), walletClientId: canary, data }]))
    await eventually(async () => {
      const { body } = await operator.get(`/v1/events?requestIds=${requestId}`)
      return body.data.length === 2
    })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an auditor filters events, follows a request and opens the user of an event', async () => {
    const { open, faults } = opened
    const page = await open('/events', { roles: ['auditor'] })
    await page.getByRole('link', { name: 'A wallet exchanged a code for a token' }).waitFor()
    expect(await page.getByLabel('Category').locator('optgroup').count()).toBe(6)
    await checkScreen(page, 'events')
    const links = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
    // The menu unfolds when the window is wide again.
    await links.first().waitFor()
    expect(await links.allInnerTexts()).toEqual(['Overview', 'Events', 'Settings', 'API reference ↗'])
    // By keyboard only.
    await page.getByRole('textbox', { name: 'Event' }).focus()
    await page.keyboard.type('user_create')
    await page.keyboard.press('Tab')
    await page.keyboard.type('succeeded')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/events?event=user_create&outcome=success')
    await page.getByRole('cell', { name: /created a user$/ }).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.reload()
    await page.getByRole('link', { name: 'created a user' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'created a user' }).waitFor()
    await page.getByRole('link', { name: 'All events of this request' }).waitFor()
    // Ids of the same millisecond begin with the same characters.
    await page.locator(`dd a[href="/console/users/${userId}"]`).first().waitFor()
    await checkScreen(page, 'event')
    await page.getByRole('link', { name: 'All events of this request' }).click()
    await page.getByText(`Events of request ${requestId}, in order of time.`).waitFor()
    await page.locator('tbody tr').nth(1).waitFor()
    expect(await page.locator('tbody tr .badge').allInnerTexts()).toEqual(['started', 'succeeded'])
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'created a user' }).waitFor()
    expect(faults).toEqual([])
  })

  test('names from outside are shown as text, an invalid filter shows an error, and pages follow each other', async () => {
    const { service, open, faults } = opened
    const page = await open('/events?category=OPENID_VCI', { locale: 'de-DE' })
    await page.getByRole('link', { name: 'Eine Wallet hat einen Code gegen ein Token getauscht' }).click()
    await page.getByText(canary, { exact: true }).first().waitFor()
    expect(await page.locator('main img, main script').count()).toBe(0)
    await page.goto(`${service.origin}/console/events?requestId=nothing`)
    await page.getByText('Ihre Eingabe ist nicht gültig.').waitFor()
    await page.goto(`${service.origin}/console/events/nothing`)
    await page.getByText('Dieses Ereignis gibt es nicht').waitFor()
    await page.goto(`${service.origin}/console/events?requestId=nothing`)
    await page.getByText('Alle Ereignisse').click()
    await page.waitForURL('**/console/events')
    await page.goto(`${service.origin}/console/events?category=MESSAGING`)
    await page.getByText('Kein Ereignis entspricht dem Filter.').waitFor()

    const timestamp = service.clock.now().toISOString()
    const one = { tenantId: service.id, type: 'MESSAGING_SIGN_SUCCESS', category: 'MESSAGING', timestamp, data: {} }
    const many = Array.from({ length: 51 }, () => ({ ...one, id: randomUUID(), requestId: randomUUID() }))
    await service.deps.db.tx((tx) => insertEvents(tx, many))
    await page.reload()
    await page.getByRole('link', { name: 'Nächste Seite' }).click()
    await page.getByRole('link', { name: 'Erste Seite' }).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.goBack()
    await page.locator('tbody tr').nth(49).waitFor()
    expect(faults).toEqual([])
  })

  test('the events of an object are one click away, one row per request, without reads', async () => {
    const { service, open, faults } = opened
    const hook = { events: ['OpenIdCredentialIssued'], url: 'https://receiver.example.org' }
    const { body } = await service.operator.post('/v1/webhooks', hook)
    const page = await open(`/webhooks/${body.id}`)
    for (const query of [`objectId=${body.id}`, 'types=WEBHOOK_RETRIEVE_SUCCESS'])
      await eventually(async () => {
        const events = await service.operator.get(`/v1/events?${query}`)
        return events.body.data.length > 0
      })
    await page.getByRole('main').getByRole('link', { name: 'Events' }).click()
    await page.getByText(`Changes of the object ${body.id}.`).waitFor()
    await page.getByRole('link', { name: 'created a webhook' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await checkScreen(page, 'events-of-object')
    const csv = await savedBy(page, () => page.getByRole('button', { name: 'Save as CSV' }).click())
    expect(csv.toString().split('\r\n').at(1)).toContain(',WEBHOOK_CREATE_SUCCESS,WEBHOOKS,')
    await page.goto(`${service.origin}/console/events`)
    await page.getByRole('link', { name: 'created a webhook' }).waitFor()
    expect(await page.getByRole('link', { name: /^(Read|Listed):/ }).count()).toBe(0)
    await page.getByLabel('Show').selectOption('All requests, also reads')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('link', { name: 'read a webhook' }).first().waitFor()
    expect(faults).toEqual([])
  })

  test('a user without the role sees the reason', async () => {
    const page = await opened.open('/events', { roles: ['issuer'] })
    await page.getByText('Your roles do not allow this').waitFor()
    expect(await page.getByRole('button', { name: 'Filter' }).count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Menu' }).getByText('Events').count()).toBe(0)
  })
})
