import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { iacas, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../certificates/openssl-authority.ts'
import { eventually } from '../harness/harness.ts'
import { beforeAnswer, type Console, checkScreen, chooseInMenu, savedBy, startConsole } from './console.ts'

describe('certificates', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('a keyboard user creates and activates a root, creates a signer under it and revokes another', async () => {
    const { service, open, faults } = opened
    const page = await open('/certificates')
    const dialog = page.getByRole('dialog', { name: 'New IACA' })
    await page.getByText('No certificate yet.').waitFor()
    // A dialog that opens before the list has loaded stays open.
    await beforeAnswer(page, '**/v2/credentials/mobile/iacas*', async () => {
      await page.reload()
      await page.getByRole('button', { name: 'New IACA' }).focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor()
    })
    await page.getByText('No certificate yet.').waitFor()
    await dialog.getByLabel('Common name').focus()
    await page.keyboard.type('<img src=x onerror=alert(1)>')
    await page.keyboard.press('Tab')
    await page.keyboard.type('germany')
    await page.keyboard.press('Enter')
    await dialog.getByText('Must be two upper-case letters').waitFor()
    await checkScreen(page, 'certificates-new')
    await dialog.getByLabel('Country').fill('DE')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).click()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('active', { exact: true }).waitFor()
    await page.getByRole('link', { name: '← Certificates' }).click()

    await eventually(async () => (await service.operator.get(signersPath('document-signer'))).body.data.length === 1)
    await page.reload()
    await page.getByRole('button', { name: 'New Status list signer' }).click()
    await page.locator('.branch').nth(1).getByRole('link').waitFor()
    const signer = page.locator('.branch').first().getByRole('link')
    await signer.waitFor()
    await checkScreen(page, 'certificates')
    const name = (await signer.textContent()) ?? ''
    await signer.click()
    await checkScreen(page, 'certificate')
    await page.getByRole('button', { name: 'Revoke' }).click()
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Revoke' })
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('to confirm').fill(name)
    await confirm.click()
    await page.getByText('revoked', { exact: true }).waitFor()
    const { body } = await service.operator.get(signersPath('document-signer'))
    expect(body.data).toMatchObject([{ active: false, revocationDate: expect.any(String) }])
    expect(faults).toEqual([])
  })

  test('an address of a VICAL signer opens the certificates of ecosystems', async () => {
    const { open } = opened
    const page = await open('/certificates/vical-signer/x')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Roots and signers')
  })

  test("a signer's request is saved as a file, and its certificate from openssl is uploaded", async () => {
    const { service, open, faults } = opened
    const authority = await newOpensslAuthority()
    const { body: root } = await service.operator.post(iacas, { certificatePem: authority.pem })
    await service.operator.put(`${iacas}/${root.id}`, { active: true })
    const path = signersPath('document-signer')
    const { body: signer } = await service.operator.post(path, { iacaId: root.id })
    const page = await open(`/certificates/document-signer/${signer.id}`, { locale: 'de' })
    const saved = await savedBy(page, () => page.getByRole('button', { name: 'Antrag speichern' }).click())
    const csr = saved.toString()
    expect(csr).toBe(signer.csrPem)

    await page.getByRole('button', { name: 'Zertifikat hochladen' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Zertifikat', { exact: true }).fill('nothing')
    await page.getByRole('dialog').getByRole('button', { name: 'Zertifikat hochladen' }).click()
    await dialog.locator('.fault').waitFor()
    const buffer = Buffer.from(await authority.certify(csr))
    await dialog.getByLabel('Aus einer Datei').setInputFiles({ name: 'signer.pem', mimeType: 'text/plain', buffer })
    await dialog.getByRole('button', { name: 'Zertifikat hochladen' }).click()
    await page.getByText('aktiv', { exact: true }).waitFor()
    expect((await service.operator.get(`${path}/${signer.id}`)).body).toMatchObject({ active: true })
    expect(faults).toEqual([])
  })

  test('a verifier trusts the root of another authority and does not see the certificates of the tenant', async () => {
    const { open, faults, service } = opened
    const other = await service.addTenant()
    const { certificatePem } = await newIaca(other)
    const page = await open('/certificates', { roles: ['verifier'] })
    await page.getByText('No trusted issuer yet.').waitFor()
    expect(await page.getByText('New IACA').count()).toBe(0)
    await page.getByRole('button', { name: 'Trust an issuer' }).click()
    await page.getByLabel('Certificate', { exact: true }).fill(certificatePem)
    await page.getByRole('dialog').getByRole('button', { name: 'Trust an issuer' }).click()
    await page.getByRole('cell', { name: 'Aotearoa IACA' }).waitFor()
    await checkScreen(page, 'trusted-issuers')
    await chooseInMenu(page, 'Stop trusting')
    await page.getByRole('dialog').getByRole('button', { name: 'Stop trusting' }).click()
    await page.getByText('No trusted issuer yet.').waitFor()
    expect(faults).toEqual([])
  })
})
