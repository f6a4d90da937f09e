import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWaitingApproval } from '../harness/waiting-approval.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

describe('approvals', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an approver approves the request of another person and rejects one, and a sender only sees an own one', async () => {
    const { service, open, faults } = opened
    await newWaitingApproval(service, service.id)
    await newWaitingApproval(service, service.id)
    const page = await open('/settings?tab=approvals', { roles: ['approver'] })
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByText('executed').waitFor()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('rejected').waitFor()
    expect(await page.getByRole('button', { name: 'Reject' }).count()).toBe(0)
    await checkScreen(page, 'approvals')

    await service.operator.put('/v1/settings', { approvals: { statusChanges: 0 } })
    const credentials = ['0b6f3a52-7f2f-4f2e-9d0e-3c5d1f1f4b5a']
    await service.operator.post('/v2/credentials/revocation-status', { credentials, isRevoked: true })
    const own = await open('/settings?tab=approvals', { roles: ['admin'], locale: 'de-DE' })
    await own.getByText('wartet').waitFor()
    const row = own.getByRole('row', { name: 'wartet' })
    // The operation and the client by name, and each word of a button on one line.
    await row.getByText('Statusänderung').waitFor()
    await row.locator('.named').waitFor()
    await own.setViewportSize({ width: 1280, height: 450 })
    const reject = await row.getByRole('button', { name: 'Ablehnen' }).boundingBox()
    expect(reject?.height).toBeLessThan(45)
    expect(await own.locator('.wide').evaluate((wide) => wide.scrollWidth - wide.clientWidth)).toBe(0)
    const sender = await open('/settings?tab=approvals')
    await sender.getByText('your request').waitFor()
    expect(await sender.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
