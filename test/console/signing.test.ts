import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newIaca } from '../certificates/hierarchy.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { newWallet } from '../wallets/wallet.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('direct signing and bulk revocation', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
    await newIaca(opened.service)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an issuer signs a credential of each profile, and wrong claims are shown at their field', async () => {
    const { service, open, faults } = opened
    const page = await open('/credentials', { roles: ['issuer'] })
    await page.getByRole('link', { name: 'Sign a credential' }).click()
    const result = page.locator('section', { has: page.getByRole('heading', { name: 'Signed credential' }) })
    const sign = async (): Promise<string> => {
      await page.getByRole('button', { name: 'Sign', exact: true }).press('Enter')
      await result.waitFor()
      return result.locator('pre').first().innerText()
    }
    await page.getByLabel('Claims').fill('{"type": 1}')
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.locator('.field.wrong').waitFor()
    await page.getByLabel('Claims').fill(JSON.stringify({ type: 'Course', given_name: canary }))
    await page.getByLabel('Can be revoked').check()
    const payload = await sign()
    expect(payload).toMatch(/^CSC:\/1\//)
    await result.getByRole('img', { name: 'QR code of the credential' }).waitFor()
    const verified = await service.operator.post('/v2/credentials/compact/verify', { payload })
    expect(verified.body).toMatchObject({ verified: true, decoded: { given_name: canary, status: {} } })
    await checkInBothLanguages(page, 'sign')

    await page.getByLabel('Profile').selectOption('compact-semantic')
    expect(await sign()).toMatch(/^CSS:\/1\//)
    await page.getByLabel('Profile').selectOption('web-semantic')
    expect(JSON.parse(await sign())).toMatchObject({ type: ['VerifiableCredential', 'CourseCertificate'] })
    await page.getByLabel('Profile').selectOption('sd-jwt')
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText('Required without configurationId').first().waitFor()
    await page.getByLabel('Type (vct)').fill('urn:example:pass')
    await page.getByLabel('Tree of claims').fill('{"given_name": {"mapFrom": "claims.given_name"}}')
    expect(await sign()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+~/)
    await checkInBothLanguages(page, 'sign-sd-jwt')
    expect(faults).toEqual([])
  })

  test('a keyboard user revokes the credentials of a configuration and sees the progress', async () => {
    const { service, open, faults } = opened
    const display = [{ name: canary }]
    const configurationId = await compactConfiguration(service, { revocable: true, display })
    const users: string[] = []
    for (const given_name of ['Ada', 'Bob']) {
      const { uri, userId } = await newOffer(service, [configurationId], { claims: { given_name } })
      expect(await (await newWallet(service, service.origin, uri)).collect()).toMatchObject({ status: 200 })
      users.push(userId)
    }
    const page = await open('/credentials/revocations', { roles: ['issuer'] })
    const start = () => page.getByRole('button', { name: 'Change the credentials' }).press('Enter')
    await page.getByLabel('Type “change” to confirm').fill('change')
    await start()
    await page.getByText('Must have either credentials or filter').waitFor()
    await page.getByLabel('Issued with the configuration').selectOption(canary)
    await page.getByLabel('Type “change” to confirm').fill('something')
    await start()
    await page.locator('.field.wrong').waitFor()
    await checkInBothLanguages(page, 'bulk-revocation')
    await page.getByLabel('Type “change” to confirm').fill('change')
    await page.keyboard.press('Enter')
    await page.getByText('done', { exact: true }).waitFor()
    await page.getByText('2 of 2').waitFor()
    for (const user of users) {
      const { body } = await service.operator.get(`/v1/users/${user}/credentials`)
      expect(body.data).toMatchObject([{ status: 'invalid' }])
    }
    await checkInBothLanguages(page, 'bulk-revocation-progress')

    await page.getByRole('link', { name: 'Bulk revocation' }).click()
    await page.getByLabel('Credential ids').fill('01a21b96-d700-7e4e-8123-42b9c98d0bc9')
    await page.getByLabel('Type “change” to confirm').fill('change')
    await start()
    await page.getByRole('heading', { name: 'Not changed' }).waitFor()
    const auditor = await open('/credentials/sign', { roles: ['auditor'], locale: 'de-DE' })
    await auditor.getByText('Ihre Rollen erlauben diese Seite nicht').waitFor()
    expect(faults).toEqual([])
  })
})
