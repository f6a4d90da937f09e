import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../harness/chromium.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { newWallet } from '../wallets/wallet.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe.skipIf(!hasChromium)('users and credentials', () => {
  let opened: Console
  let configurationId: string
  let userId: string
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
    const found = page.url()
    await page.getByRole('button', { name: 'To the content' }).press('Enter')
    expect(page.url()).toBe(found)
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
    await page.getByText(canary).waitFor()
    await checkScreen(page, 'user')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Claims').fill('{"given_name": "Ada"}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ada', { exact: true }).waitFor()
    expect((await service.operator.get(`/v1/users/${userId}`)).body.claims).toEqual({ given_name: 'Ada' })
    expect(faults).toEqual([])
  })

  test('an operator revokes and restores a credential and erases a user by keyboard with a typed word', async () => {
    const { service, open, faults } = opened
    const page = await open(`/credentials?configuration=${configurationId}`)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('cell', { name: 'revoked' }).waitFor()
    expect(await statusOf()).toBe('invalid')
    await checkScreen(page, 'credentials')
    await page.getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('valid', { exact: true }).waitFor()
    expect(await statusOf()).toBe('valid')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('button', { name: 'Widerrufen' }).waitFor()
    await page.goto(`${service.origin}/console/users/${userId}`)
    await page.getByRole('button', { name: 'Löschen' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Zur Bestätigung').waitFor()
    await page.keyboard.type('löschen')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Personen' }).waitFor()
    expect(await service.operator.get(`/v1/users/${userId}`)).toMatchObject({ status: 404 })
    const auditor = await open('/users', { roles: ['auditor'] })
    await auditor.getByText('Your roles do not allow this', { exact: false }).waitFor()
    expect(await auditor.getByRole('main').getByRole('button').count()).toBe(0)
    expect(faults).toEqual([])
  })
})
