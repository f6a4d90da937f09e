import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyReceipt } from '../../db/cli/verify-receipt.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { newCredentials } from '../harness/revocable.ts'
import { runNow } from '../harness/run-now.ts'
import { newWallet } from '../wallets/wallet.ts'
import { type Console, checkInBothLanguages, checkScreen, chooseInMenu, savedBy, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('users and credentials', { tags: 'chromium' }, () => {
  let opened: Console
  let configurationId: string
  let userId: string
  let salt: string
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    const display = [{ name: canary }]
    configurationId = await compactConfiguration(service, { revocable: true, display })
    const offer = await newOffer(service, [configurationId], {
      claims: { given_name: canary },
      claimsToPersist: ['given_name'],
    })
    userId = offer.userId
    await (await newWallet(service, service.origin, offer.uri)).collect()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const statusOf = async () => {
    const { body } = await opened.service.operator.get(`/v1/users/${userId}/credentials`)
    return body.data[0]?.status
  }

  test('an operator finds a user by a claim, and the page loads the claims only on request', async () => {
    const { service, open, faults } = opened
    await service.operator.post('/v1/users', { claims: { given_name: 'Grace' } })
    const answers: string[] = []
    const page = await open('/users')
    page.on('response', async (response) => {
      if (response.url().includes('/v1/users')) answers.push(await response.text().catch(() => ''))
    })
    await page.getByRole('row').nth(2).waitFor()
    await page.getByLabel('Claim', { exact: true }).fill('given_name')
    await page.getByLabel('Has the value').fill(canary)
    await page.keyboard.press('Enter')
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await checkScreen(page, 'users')
    // The filter is in the fragment, which browsers do not send. The history keeps it.
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('value')).toBe(canary)
    expect(new URL(page.url()).search).toBe('')
    await page.goBack()
    await page.getByRole('row').nth(2).waitFor()
    expect(await page.getByLabel('Has the value').inputValue()).toBe('')
    await page.goForward()
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('row').nth(1).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    expect(await page.getByLabel('Has the value').inputValue()).toBe(canary)
    const url = page.url()
    await page.getByRole('button', { name: 'To the content' }).press('Enter')
    expect(page.url()).toBe(url)
    await page.getByLabel('Claim', { exact: true }).fill('')
    await page.getByLabel('Has the value').fill('')
    await page.keyboard.press('Enter')
    await page.getByRole('row').nth(2).waitFor()
    await page.goBack()
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await page.getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByRole('cell', { name: 'valid', exact: true }).waitFor()
    expect(page.url()).toContain(userId)
    expect(answers.join()).not.toContain('script')
    await page.getByRole('button', { name: 'Reveal' }).click()
    await page.locator('dd', { hasText: canary }).waitFor()
    await checkScreen(page, 'user')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Claims').fill('{"given_name": "Ada"}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ada', { exact: true }).waitFor()
    expect((await service.operator.get(`/v1/users/${userId}`)).body.claims).toEqual({ given_name: 'Ada' })
    expect(faults).toEqual([])
  })

  test('the tabs of a user have the offers, the failures with their reason, and the events, by mouse and keyboard', async () => {
    const { service, open, faults } = opened
    const strictId = await compactConfiguration(service, {
      display: [{ name: 'Strict' }],
      claimMappings: { family_name: { mapFrom: 'claims.family_name', required: true } },
    })
    const failing = await newOffer(service, [strictId], { userId, label: 'Counter 7', claims: {} })
    const wallet = await newWallet(service, service.origin, failing.uri)
    await wallet.redeem()
    expect(await wallet.requestCredential()).toMatchObject({ status: 400 })
    await newOffer(service, [configurationId], { label: 'Of another user' })
    await service.operator.put(`/v1/users/${userId}?partial=true`, { label: 'Ada' })
    await eventually(async () => (await service.operator.get(`/v1/events?objectId=${userId}`)).body.data.length > 0)
    const page = await open(`/users/${userId}`)
    const tabs = page.getByRole('navigation', { name: 'Sections of this page' })
    await page.getByRole('cell', { name: 'valid', exact: true }).waitFor()
    await tabs.getByRole('link', { name: 'Offers' }).click()
    await page.getByRole('row').nth(2).waitFor()
    expect(await page.getByRole('row').count()).toBe(3)
    await checkInBothLanguages(page, 'user-offers')
    await tabs.getByRole('link', { name: 'Failures' }).press('Enter')
    const failures = page.getByRole('table', { name: 'Failures' })
    await failures.getByText('family_name', { exact: false }).waitFor()
    expect(await failures.getByRole('row').count()).toBe(2)
    await checkInBothLanguages(page, 'user-failures')
    const { failure } = (await service.operator.get(`/v1/openid/offers?userId=${userId}&failed=true`)).body.data[0]
    await failures.locator('a', { has: page.locator(`time[datetime="${failure.at}"]`) }).press('Enter')
    await page.waitForURL(`**/console/offers/${failing.id}?request=${failure.requestId}`)
    const failed = page.locator('.step.failure[aria-current]')
    await failed.waitFor()
    expect(await failed.evaluate((step) => step.matches(':focus'))).toBe(true)
    await failed.getByText('family_name', { exact: false }).first().waitFor()
    await checkScreen(page, 'failed-step')
    await page.goBack()
    await page.getByRole('link', { name: 'Counter 7' }).click()
    await page.waitForURL(`**/console/offers/${failing.id}`)
    expect(await failed.count()).toBe(0)
    await page.goBack()
    await tabs.getByRole('link', { name: 'Events' }).press('Enter')
    await page.getByRole('row').nth(1).getByTitle('USER_UPDATE_SUCCESS').waitFor()
    await checkInBothLanguages(page, 'user-events')
    await page.getByRole('link', { name: 'All events of this user' }).click()
    await page.waitForURL(`**/console/events?objectId=${userId}`)

    const issuer = await open(`/users/${userId}`, { roles: ['issuer'] })
    const sections = issuer.getByRole('navigation', { name: 'Sections of this page' }).getByRole('link')
    await sections.first().waitFor()
    await sections.locator('.count').nth(2).waitFor()
    expect(await sections.allInnerTexts()).toEqual(['Credentials 1', 'Offers 2', 'Failures 1', 'Erasure'])
    expect(faults).toEqual([])
  })

  test('a count of a tab has a limit, and a change of the list counts again', async () => {
    const { service, open, faults } = opened
    const { id } = (await service.operator.post('/v1/users', { claims: {} })).body
    await newCredentials(service, service.id, { userId: id, count: 101 })
    const page = await open(`/users/${id}`)
    const counted = page
      .getByRole('navigation', { name: 'Sections of this page' })
      .locator('a', { has: page.locator('.count') })
    await counted.nth(2).waitFor()
    expect(await counted.allInnerTexts()).toEqual(['Credentials 100+', 'Offers 0', 'Failures 0'])
    const rows = (await service.operator.get(`/v1/users/${id}/credentials?limit=2`)).body.data
    expect(await service.operator.delete(`/v2/credentials/compact/${rows[1].id}`)).toMatchObject({ status: 204 })
    await chooseInMenu(page.getByRole('row').nth(1), 'Delete')
    await page.getByLabel('to confirm').fill('delete')
    await page.keyboard.press('Enter')
    await counted.getByText('99').waitFor()
    expect(faults).toEqual([])
  })

  test('an operator revokes and restores a credential and erases a user by keyboard with a typed word', async () => {
    const { service, open, faults } = opened
    const page = await open(`/credentials?configuration=${configurationId}`)
    await chooseInMenu(page, 'Revoke')
    await page.getByRole('cell', { name: 'revoked' }).waitFor()
    expect(await statusOf()).toBe('invalid')
    await checkScreen(page, 'credentials')
    await page.getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('valid', { exact: true }).waitFor()
    expect(await statusOf()).toBe('valid')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('button', { name: 'Widerrufen' }).waitFor()
    await page.goto(`${service.origin}/console/users/${userId}`)
    await page.getByRole('link', { name: 'Löschung', exact: true }).press('Enter')
    await page.getByText('Ausgestellte Nachweise werden widerrufen', { exact: false }).waitFor()
    await checkScreen(page, 'user-erasure')
    const data = await savedBy(page, () => page.getByRole('button', { name: `Seite: person-${userId}.html` }).click())
    expect(data.toString()).toContain(userId)
    await page.getByRole('button', { name: 'Löschen' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Zur Bestätigung').waitFor()
    await page.keyboard.type('löschen')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Die Person wurde gelöscht' }).waitFor()
    salt = (await page.locator('.secret code').textContent()) ?? ''
    await checkScreen(page, 'erased')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Personen' }).waitFor()
    expect(await service.operator.get(`/v1/users/${userId}`)).toMatchObject({ status: 404 })
    await page.goto(`${service.origin}/console/users/${userId}`)
    await page.getByText('Es gibt keine Person mit dieser ID', { exact: false }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    expect(await page.getByRole('button', { name: 'Aufdecken' }).count()).toBe(0)
    const auditor = await open('/users', { roles: ['auditor'] })
    await auditor.getByText('Your roles do not allow this', { exact: false }).waitFor()
    expect(await auditor.getByRole('main').getByRole('button').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('an admin sees the receipt of the erasure, and its saved files verify with the salt that was shown', async () => {
    const { service, open, faults } = opened
    service.clock.advance(3_600_000)
    await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
    const page = await open('/users')
    await page.getByRole('link', { name: 'Receipts of erasures' }).click()
    await page.getByRole('cell', { name: 'signed' }).waitFor()
    await checkScreen(page, 'erasures')
    await page.getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByText('user_claim_terms').waitFor()
    await checkScreen(page, 'erasure')
    const folder = mkdtempSync(join(tmpdir(), 'trustwright-test-'))
    const save = async (button: string, name: string) => {
      const file = await savedBy(page, () => page.getByRole('button', { name: button }).click())
      writeFileSync(join(folder, name), file)
      return join(folder, name)
    }
    const receipt = await save('Receipt', 'receipt.json')
    const checkpoint = await save('Checkpoint: checkpoint.txt', 'checkpoint.txt')
    const keys = await save('Keys: jwks.json', 'jwks.json')
    expect(verifyReceipt({ receipt, checkpoint, keys, user: { id: userId, salt } })).toContain('1 credentials revoked')
    rmSync(folder, { recursive: true })
    const issuer = await open('/users/erasures', { roles: ['issuer'] })
    await issuer.getByText('Your roles do not allow this', { exact: false }).waitFor()

    const auditor = await open('/settings', { roles: ['auditor'] })
    await auditor.locator('pre', { hasText: `${service.host}/v1/audit` }).waitFor()
    expect(await auditor.locator('.tabs a').allInnerTexts()).toEqual(['Audit', 'Queues', 'Health'])
    const saved = await savedBy(auditor, () => auditor.getByRole('button', { name: 'Checkpoint' }).click())
    expect(saved.toString()).toBe((await service.anonymous.get('/v1/audit/checkpoint')).body)
    await checkScreen(auditor, 'audit')
    expect(faults).toEqual([])
  })
})
