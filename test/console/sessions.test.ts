import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, checkScreen, startConsole } from './console.ts'

describe('sessions', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an admin ends a session and all of a client, and others see only their own', async () => {
    const { open, faults } = opened
    const helpdesk = await open('/', { roles: ['helpdesk'] })
    await helpdesk.getByRole('link', { name: 'Sessions' }).click()
    await helpdesk.getByText('this session').waitFor()
    expect(await helpdesk.locator('tbody tr').count()).toBe(1)
    const viewer = await open('/sessions', { roles: ['viewer'] })

    const admin = await open('/sessions')
    const end = async (client: string, label: string) => {
      const row = admin.getByRole('row').filter({ has: admin.getByText(client, { exact: true }) })
      await row.getByRole('button', { name: 'Actions' }).click()
      await admin.getByRole('menuitem', { name: label, exact: true }).click()
      if (label !== 'End') await admin.getByRole('dialog').getByRole('textbox').fill(client)
      await admin.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
      await row.waitFor({ state: 'detached' })
    }
    await checkScreen(admin, 'sessions')
    await end('helpdesk', 'End')
    await helpdesk.reload()
    await helpdesk.getByRole('heading', { name: 'Sign in' }).waitFor()

    // A user who only looks ends an own session, too.
    await viewer.getByRole('button', { name: 'End all' }).click()
    await viewer.getByRole('heading', { name: 'End all of viewer' }).waitFor()
    await viewer.getByRole('dialog').getByRole('textbox').fill('viewer')
    await viewer.getByRole('dialog').getByRole('button', { name: 'End all' }).click()
    await viewer.getByText('Your session has ended. Sign in again').waitFor()
    await open('/sessions', { roles: ['auditor'] })
    await admin.reload()
    await end('auditor', 'End all')
    expect(await admin.locator('tbody tr').count()).toBe(1)
    expect(faults).toEqual([])
  })

  test('the only session has room for the whole name of its owner', async () => {
    const { service, open, faults } = opened
    const page = await open('/sessions', { roles: ['auditor', 'viewer'], locale: 'de-DE' })
    const { operator, id } = service
    const { data } = (await operator.get(`/v1/tenants/${id}/clients?limit=1000`)).body
    const [{ clientId }] = data.filter((each: { name: string }) => each.name === 'auditor and viewer')
    const name = 'Schalter am Campus Nord'
    await operator.put(`/v1/tenants/${id}/clients/${clientId}`, { name, roles: ['viewer'] })
    await page.reload()
    const owner = page.getByTitle(name)
    await owner.waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    expect(await owner.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    expect(faults).toEqual([])
  })

  test('a client of the platform sees the sessions of the platform', async () => {
    const page = await opened.open('/sessions', { host: 'platform' })
    await page.getByText('this session').waitFor()
  })
})
