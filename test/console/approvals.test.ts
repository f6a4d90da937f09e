import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { platformClient } from '../harness/platform-client.ts'
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
    await own.getByText('wartet', { exact: true }).waitFor()
    const row = own.getByRole('row', { name: 'wartet' })
    // The operation and the client by name, and each word of a button on one line.
    const operation = row.getByRole('button', { name: 'Statusänderung' })
    await row.locator('.named').waitFor()
    await own.setViewportSize({ width: 1280, height: 450 })
    const reject = await row.getByRole('button', { name: 'Ablehnen' }).boundingBox()
    expect(reject?.height).toBeLessThan(45)
    expect(await own.locator('.wide').evaluate((wide) => wide.scrollWidth - wide.clientWidth)).toBe(0)
    await operation.click()
    const details = own.getByRole('dialog')
    await details.getByText('Widerrufen').waitFor()
    await details.getByText('Hash der Anfrage (SHA-256)').waitFor()
    expect(await details.innerText()).not.toContain('{')
    await own.keyboard.press('Escape')
    // The end of the time is that of requests which wait. The details name who decided.
    const executed = own.getByRole('row', { name: 'ausgeführt' })
    expect(await executed.locator('time').count()).toBe(0)
    await executed.getByRole('button').first().click()
    await details.getByText('Entschieden von').waitFor()
    await own.keyboard.press('Escape')
    const sender = await open('/settings?tab=approvals')
    await sender.getByText('your request').waitFor()
    expect(await sender.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('a bulk revocation that needs an approval leads to the approvals', async () => {
    const { service, open, faults } = opened
    await service.operator.put('/v1/settings', { approvals: { statusChanges: 0 } })
    const page = await open('/credentials/revocations', { roles: ['issuer'] })
    await page.getByLabel('Credential ids, instead of a filter').fill('7d2f3a52-7f2f-4f2e-9d0e-3c5d1f1f4b5a')
    await page.getByLabel('Type “change” to confirm').fill('change')
    await page.getByRole('button', { name: 'Change the credentials' }).click()
    await page.waitForURL('**/settings?tab=approvals')
    await page.getByText('your request').waitFor()
    expect(faults).toEqual([])
  })

  test('an admin sets the rules of approvals, and a change to fewer approvals waits', async () => {
    const { service, open, faults } = opened
    await service.operator.put('/v1/settings', { approvals: { statusChanges: 0 } })
    const page = await open('/settings?tab=approvals', { roles: ['admin'] })
    const rules = async () => (await service.operator.get('/v1/settings')).body.approvals
    const statusChanges = page.getByLabel('Status changes of more credentials than')
    await expect.poll(() => statusChanges.inputValue()).toBe('0')
    await page.getByLabel('Bulk issuances with more valid rows than').fill('1000001')
    await page.getByLabel('Each deletion of a root certificate').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Must be at most 1000000').waitFor()
    await page.getByLabel('Bulk issuances with more valid rows than').fill('100')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = { statusChanges: 0, bulkIssuances: 100, authorityDeletions: 0 }
    expect(await rules()).toEqual(saved)
    await statusChanges.fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This change waits for the approval of another person.').waitFor()
    expect(await rules()).toEqual(saved)
    await checkScreen(page, 'approval-rules')
    await page.getByRole('button', { name: 'Rules of approvals' }).click()
    await page.getByRole('dialog').getByText('0 → none').waitFor()
    expect(faults).toEqual([])
  })

  test('the details of an apply of configuration files name what it deletes', async () => {
    const { service, open, faults } = opened
    const { operator } = service
    const apply = async (objects: object) => {
      const files = { format: 1, objects, prune: true }
      const { basedOn, digest } = (await operator.post('/v1/configuration/plan', files)).body
      return operator.post('/v1/configuration/apply', { ...files, basedOn, digest })
    }
    await apply({ 'webhooks/crm': { url: 'https://example.org/crm', events: ['UserErased'] } })
    const { approvals } = (await operator.get('/v1/settings')).body
    await operator.put('/v1/settings?partial=true', { approvals: { ...approvals, configurationDeletions: 0 } })
    const { approval } = (await apply({})).body
    const page = await open('/settings?tab=approvals', { roles: ['approver'] })
    const row = page.getByRole('row', { name: 'Configuration' })
    await row.getByRole('button', { name: 'Configuration' }).click()
    await page.getByRole('dialog').getByText('webhooks/crm').waitFor()
    await checkScreen(page, 'approval-of-files')
    const approver = await platformClient(service, service, 'approver')
    await approver.post(`/v1/approvals/${approval.id}/approve`, {})
    await page.reload()
    await row.getByText('approved', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Reject' }).click()
    await row.getByText('rejected', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })
})
