import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newIaca } from '../certificates/hierarchy.ts'
import { mdlConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { issueMobile, setMobileStatus } from '../harness/mobile-status.ts'
import { signed } from '../harness/signing.ts'
import { type Console, checkScreen, chooseInMenu, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('status lists', { tags: 'chromium' }, () => {
  let opened: Console
  /** A revoked position in the list of each profile. */
  let revoked: { profile: string; url: string; index: number }[]
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    await newIaca(service)
    const request = { revocable: true, isRevoked: true }
    const [compact, semantic, web] = await Promise.all([
      signed(service, 'compact', request),
      signed(service, 'compact-semantic', request),
      signed(service, 'web-semantic', { revocable: true }),
    ])
    await service.operator.post(`/v2/credentials/web-semantic/${web.id}/revocation-status`, { isRevoked: true })
    const [mobile] = await issueMobile(service, service, await mdlConfiguration(service, { includeStatus: true }))
    await setMobileStatus(service, mobile!.id, 'invalid')
    const { credentialStatus } = web
    revoked = [
      { profile: 'Compact', ...compact.decoded.status },
      { profile: 'Compact semantic', ...semantic.decoded.status },
      {
        ...{ profile: 'Web semantic', url: credentialStatus.revocationListCredential },
        index: Number(credentialStatus.revocationListIndex),
      },
      { profile: 'Mobile', url: mobile!.reference!.uri, index: mobile!.reference!.idx },
    ]
    await eventually(async () => {
      const { body } = await service.operator.get('/v2/credentials/status-lists')
      return body.data.length === 4 && body.data.every((each: object) => 'published' in each && !('changedAt' in each))
    })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('the browser reads the same status from the list of each profile as verifiers', async () => {
    const { open, faults } = opened
    const page = await open('/status-lists')
    expect(revoked).toHaveLength(4)
    for (const { profile, url, index } of revoked) {
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="${url}"]`) })
      await row.getByText('current').waitFor()
      expect(await row.getByRole('cell').first().innerText()).toMatch(new RegExp(`^${profile}\\s`))
      await chooseInMenu(row, 'Look up an entry')
      await page.getByLabel('Index, from 0').fill(String(index))
      await page.keyboard.press('Enter')
      await page.getByText('revoked', { exact: true }).waitFor()
      await page.getByText(/^1 of [\d,]+ entries are not valid/).waitFor()
    }
    await page.reload()
    await page.getByText('revoked', { exact: true }).waitFor()
    await checkScreen(page, 'status-lists')
    const place = page.getByLabel('Index, from 0')
    await place.fill(String(revoked.at(-1)!.index === 0 ? 1 : 0))
    await place.press('Enter')
    await page.getByText('valid', { exact: true }).waitFor()
    await place.fill('100000')
    await place.press('Enter')
    await page.getByText('The list has no such index.').waitFor()
    expect(faults).toEqual([])
  })

  test('a keyboard user sets, changes and removes the lifetime of lists', async () => {
    const { service, open, faults } = opened
    const path = '/v2/credentials/mobile/status-lists/configurations'
    const page = await open('/status-lists', { roles: ['issuer'] })
    await page.getByRole('button', { name: 'New lifetime' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Document type').focus()
    await page.keyboard.type(canary)
    await page.keyboard.press('Tab')
    await page.keyboard.type('9')
    await page.keyboard.press('Enter')
    await dialog.getByText('Must not be longer than expiryDuration').waitFor()
    await dialog.getByLabel('Valid, in days').fill('30')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: canary, exact: true }).waitFor()
    const kept = async () => (await service.operator.get(path)).body.data
    expect(await kept()).toMatchObject([
      { docType: canary, timeToLiveDuration: { days: 9 }, expiryDuration: { days: 30 } },
    ])
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Cached for (days)').fill('2')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: '2 days' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('All lists have the default lifetime.').waitFor()
    expect(await kept()).toEqual([])
    expect(faults).toEqual([])
  })

  test('a user without the role sees the reason, in German', async () => {
    const { open, faults } = opened
    const page = await open('/status-lists', { roles: ['auditor'], locale: 'de-DE' })
    await page.getByText('Ihre Rollen erlauben diese Seite nicht').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Statuslisten' }).waitFor()
    expect(await page.getByRole('button', { name: 'Neue Lebensdauer' }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
