import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ecosystemIntegrations } from '../../db/tables/ecosystems/integrations.ts'
import { newEcosystem, newListed, newType } from '../api/ecosystems/factories.ts'
import { derOf, newCertificate, pemOf } from '../certificates/certificates.ts'
import { ecosystemCas, newEcosystemCa } from '../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../certificates/openssl-authority.ts'
import { runNow } from '../harness/run-now.ts'
import { newForeignSigner, startPublisher } from '../servers/foreign-lists.ts'
import { beforeAnswer, type Console, checkScreen, chooseInMenu, savedBy, startConsole } from './console.ts'

const mdl = 'org.iso.18013.5.1.mDL'
/** Certificates of RICAL signers name a policy (see ecosystem-certificates.test.ts). */
const ofRicals = { certificatePolicies: '1.3.6.1.4.1.55555.1' }
const canary = `"><script>x</script><img src=x onerror=x>`

describe('ecosystems', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('a keyboard user creates an ecosystem, sees the next steps and deletes it after its name is typed', async () => {
    const { service, open, faults } = opened
    const page = await open('/ecosystems')
    await page.getByText('No ecosystem yet').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'New ecosystem' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').focus()
    await page.keyboard.type(canary)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: canary }).waitFor()
    const begin = page.getByRole('link', { name: 'Begin' })
    await begin.waitFor()
    // A dialog that opens before the list has loaded stays open.
    await beforeAnswer(page, '**/v1/ecosystems/*/credentials?*', async () => {
      await begin.click()
      await page.getByRole('button', { name: 'Add a type' }).click()
    })
    await page.getByText('No type yet').waitFor()
    await page.getByLabel('Name').fill('Driving licence')
    await page.getByRole('textbox', { name: 'Type' }).fill(mdl)
    await page.getByRole('dialog').getByRole('button', { name: 'Add a type' }).click()
    await page.getByRole('cell', { name: mdl }).waitFor()
    await checkScreen(page, 'ecosystem-types')
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await page.getByRole('dialog').getByLabel('Type “').fill(canary)
    await page.keyboard.press('Enter')
    await page.getByText('No ecosystem yet').waitFor()
    expect((await service.operator.get('/v1/ecosystems')).body.data).toEqual([])
    expect(faults).toEqual([])
  })

  test('a publisher configures, publishes, reads and compares VICALs', async () => {
    const { service, open, faults } = opened
    const path = await newEcosystem(service, { name: 'Licences' })
    const credentialId = await newType(service, path, { profile: 'mobile', type: mdl })
    const page = await open(path.replace('/v1', ''))
    const card = page.locator('section').filter({ hasText: 'verifiers may trust' })
    await card.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Publisher').fill(canary)
    await page.getByLabel('Publish automatically').uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click()
    await card.getByRole('button', { name: 'Publish now' }).click()
    await card.getByText('no active ecosystem CA').waitFor()
    await newEcosystemCa(service)
    await newListed(service, path, 'issuer', {
      credentialId,
      holds: [await newCertificate({ name: 'First', ca: true })],
    })
    await card.getByRole('button', { name: 'Publish now' }).click()
    await card.getByRole('status').getByText('VICAL 1 was published.').waitFor()
    await newListed(service, path, 'issuer', {
      credentialId,
      holds: [await newCertificate({ name: 'Second', ca: true })],
    })
    await card.getByRole('button', { name: 'Publish now' }).click()
    await checkScreen(page, 'ecosystem-glance')
    await page.getByRole('link', { name: 'VICALs' }).click()
    await page.getByRole('link', { name: '1 → 2' }).waitFor()
    const { date } = (await service.operator.get(`${path}/vicals/public`)).body.data[0]
    const text = (at: number) => new Date(at).toLocaleString('en-GB', { dateStyle: 'medium' })
    await page.locator('.span', { hasText: 'VICAL 1' }).hover()
    const lifetime = `VICAL 1: ${text(Date.parse(date))} – ${text(Date.parse(date) + 90 * 86_400_000)}`
    await page.locator('.reading', { hasText: lifetime }).waitFor()
    await checkScreen(page, 'ecosystem-vicals')
    await page.getByRole('link', { name: '1 → 2' }).click()
    await page.getByText('Added: 1').waitFor()
    await page.getByRole('cell', { name: 'CN=Second' }).waitFor()
    await page.getByLabel('Compare with').selectOption('Nothing (show all)')
    await page.getByRole('cell', { name: 'CN=First' }).waitFor()
    await page.getByLabel('Find').fill('second')
    await page.keyboard.press('Enter')
    await page.getByText('1 of 2 certificates').waitFor()
    await page.reload()
    await page.getByText('1 of 2 certificates').waitFor()
    await checkScreen(page, 'ecosystem-vical')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: '.cwt' }).click()
    expect((await download).suggestedFilename()).toMatch(/^vical-.*\.cwt$/)
    expect(faults).toEqual([])
  })

  test('a participant receives types, certificates and evidence and is trusted', async () => {
    const { service, open, faults } = opened
    const path = await newEcosystem(service, { name: 'Participants' })
    await newType(service, path, { profile: 'mobile', type: mdl, name: 'Driving licence' })
    const page = await open(`${path.replace('/v1', '')}/participants/new`)
    await page.getByLabel('Name').fill(canary)
    await page.getByLabel('Country').fill('nz')
    await page.getByRole('button', { name: 'Add a contact' }).click()
    await page.getByLabel('Postal address').fill('1 Harbour Street')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Must be two upper-case letters').waitFor()
    await page.getByLabel('Country').fill('NZ')
    await checkScreen(page, 'participant-new')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByLabel('May issue: Driving licence').click()
    const [participant] = (await service.operator.get(`${path}/participants`)).body.data
    const own = `${path}/participants/${participant.id}`
    await expect.poll(async () => (await service.operator.get(`${own}/issuer/credentials`)).body.data).toHaveLength(1)
    await checkScreen(page, 'participant-types')

    await page.locator('.tabs').getByRole('link', { name: 'Certificates' }).click()
    await page.getByRole('button', { name: 'Add a certificate' }).click()
    const certificate = await newCertificate({ name: 'Agency', ca: true })
    await page
      .getByLabel('Certificate: from a file')
      .setInputFiles({ name: 'ca.der', mimeType: '', buffer: derOf(certificate) })
    await expect.poll(() => page.getByRole('textbox', { name: 'Certificate' }).inputValue()).toContain('-----BEGIN')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a certificate' }).click()
    await page.getByRole('cell', { name: 'Agency' }).waitFor()
    await chooseInMenu(page, 'Deactivate')
    await page.getByRole('cell', { name: 'inactive' }).waitFor()
    await chooseInMenu(page, 'Activate')
    await page.getByRole('cell', { name: 'active', exact: true }).waitFor()
    await checkScreen(page, 'participant-certificates')

    await page.getByRole('link', { name: 'Check trust' }).click()
    await page.getByRole('textbox', { name: 'Identifier' }).fill(pemOf(certificate))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Yes, trusted').waitFor()
    await page.getByLabel('Permission').selectOption('Verify')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('No, not trusted').waitFor()

    await page.getByRole('link', { name: 'Evidence' }).click()
    const evidence = Buffer.from('%PDF-1.7')
    const file = page.getByLabel('PDF file')
    await file.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('GIF89a') })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('This is not a PDF file.').waitFor()
    await file.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: evidence })
    await page.getByLabel('Description').fill(canary)
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('cell', { name: 'a.pdf', exact: true }).waitFor()
    await checkScreen(page, 'participant-evidence')
    const saved = await savedBy(page, () => chooseInMenu(page, 'Download'))
    expect(saved).toEqual(evidence)
    await page.getByRole('link', { name: 'About' }).click()
    await page.getByText('1 Harbour Street').waitFor()
    await checkScreen(page, 'participant')
    expect(faults).toEqual([])
  })

  test('an admin manages roots, policies and lists of others, and a reader has no buttons, in German too', async () => {
    const { service, open, faults } = opened
    const page = await open('/ecosystems/certificates')
    await page.getByRole('button', { name: 'New root' }).click()
    await page.getByLabel('Common name').fill(canary)
    await page.getByRole('textbox', { name: 'Country' }).fill('NZ')
    await page.getByRole('dialog').getByRole('button', { name: 'New root' }).click()
    const root = page.getByRole('row').filter({ hasText: canary })
    await chooseInMenu(root, 'Activate')
    await root.getByText('active', { exact: true }).waitFor()
    await checkScreen(page, 'ecosystem-roots')
    await root.getByRole('button', { name: 'Deactivate' }).click()
    await chooseInMenu(root, 'Delete')
    await page.getByRole('dialog').getByLabel('Type “').fill(canary)
    await page.keyboard.press('Enter')
    await root.waitFor({ state: 'detached' })

    await page.goto(`${service.origin}/console/certificates/vical-signer/1`)
    await page.getByRole('link', { name: 'VICAL signers', exact: true }).and(page.locator('[aria-current]')).waitFor()

    const url = 'https://lists.example.org/vical.cbor'
    const integrations = [{ format: 'VICAL', url, enabled: false }]
    const path = await newEcosystem(service, { name: canary, integrations })
    const failReasons = [{ type: 'RootMissing' as const, message: canary }]
    const result = { success: false, lastSyncedAt: new Date().toISOString(), failReasons }
    const { db } = service.deps
    await db.tx((tx) => tx.update(ecosystemIntegrations).set({ result }).where(eq(ecosystemIntegrations.url, url)))
    await page.goto(`${service.origin}/console${path.replace('/v1', '')}?tab=policies&policy=verifier`)
    await page.getByText('None is published yet.').waitFor()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('matches the ecosystem').waitFor()
    await checkScreen(page, 'ecosystem-policies')
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await page.getByRole('dialog').getByLabel('Type “').fill('delete')
    await page.keyboard.press('Enter')
    await page.getByText('None is published yet.').waitFor()
    await page.getByRole('link', { name: 'Imported lists' }).click()
    await page.getByText('It does not contain the root').waitFor()
    await page.getByRole('button', { name: 'Import a list' }).click()
    await page.getByLabel('Address of the list').fill('ftp://lists.example.org')
    await page.getByRole('dialog').getByRole('button', { name: 'Import a list' }).click()
    await page.getByLabel('Address of the list').and(page.locator('[aria-invalid]')).waitFor()
    await page.keyboard.press('Escape')
    await checkScreen(page, 'ecosystem-integrations')

    const reader = await open(`${path.replace('/v1', '')}?tab=integrations`, {
      roles: ['dts-consumer'],
      locale: 'de-DE',
    })
    await reader.getByText('Sie enthält die Wurzel ihres Signierers nicht').waitFor()
    expect(
      await reader
        .getByRole('main')
        .getByRole('button', { name: /^(?!Kopieren)/ })
        .all(),
    ).toEqual([])
    await reader.goto(`${service.origin}/console/ecosystems`)
    await reader.getByRole('link', { name: canary }).waitFor()
    await reader.goto(`${service.origin}/console/ecosystems/new`)
    await reader.getByText('Ihre Rollen erlauben diese Seite nicht').waitFor()
    expect(faults).toEqual([])
  })

  test("a signer's request is saved and its certificate uploaded, a RICAL is published, and a list of others is fetched", async () => {
    const { service, open, faults } = opened
    const authority = await newOpensslAuthority({ subject: '/C=NZ/CN=Elsewhere' })
    const { body: root } = await service.operator.post(ecosystemCas, { certificatePem: authority.pem })
    const page = await open('/ecosystems/certificates?tab=rical')
    await page.getByRole('button', { name: 'New signer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Root').selectOption(root.id)
    await dialog.getByRole('button', { name: 'New signer' }).click()
    const csr = await savedBy(page, () => chooseInMenu(page, 'Save the request'))
    const extensions = { extendedKeyUsage: undefined, keyUsage: 'critical,nonRepudiation', ...ofRicals }
    const certificate = await authority.certify(csr.toString(), { subject: '/C=NZ/O=Elsewhere/CN=Signed', extensions })
    await chooseInMenu(page, 'Upload its certificate')
    await dialog.getByLabel('Certificate', { exact: true }).fill(certificate)
    await dialog.getByRole('button', { name: 'Upload its certificate' }).click()
    const row = page.getByRole('row', { name: 'Signed' })
    await chooseInMenu(row, 'Deactivate')
    await row.getByRole('cell', { name: 'inactive' }).waitFor()

    await newEcosystemCa(service)
    const path = await newEcosystem(service, { name: 'Readers' })
    const credentialId = await newType(service, path, { profile: 'mobile', type: mdl })
    await newListed(service, path, 'verifier', { credentialId })
    await page.goto(`${service.origin}/console${path.replace('/v1', '')}?tab=ricals`)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Publisher').fill('Aotearoa')
    await page.getByLabel('Publish automatically').uncheck()
    await dialog.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('RICAL 1 was published.').waitFor()
    const published = await service.anonymous.get(`${path}/ricals/public/latest`)
    expect(published).toMatchObject({ status: 200 })

    const signer = await newForeignSigner()
    const body = await signer.vical([await newCertificate({ name: 'Far authority', ca: true })])
    await using publisher = await startPublisher({ body })
    await page.getByRole('link', { name: 'Imported lists' }).click()
    await page.getByRole('button', { name: 'Import a list' }).click()
    await page.getByLabel('Address of the list').fill(publisher.url)
    await page.getByRole('textbox', { name: 'Root certificate of its signer' }).fill(pemOf(signer.root))
    await dialog.getByRole('button', { name: 'Import a list' }).click()
    await page.getByRole('heading', { name: publisher.url }).waitFor()
    await runNow(service.deps.bus, 'queueDueIntegrations', 'integrations')
    await page.getByText('valid', { exact: true }).waitFor()
    await page.getByText('1 added, 0 removed').waitFor()
    await page.getByRole('link', { name: '1', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: publisher.url }).waitFor()
    await page.getByRole('cell', { name: 'Far authority' }).waitFor()
    await page.getByRole('cell', { name: mdl }).waitFor()
    expect(page.url()).not.toContain(encodeURIComponent(publisher.url))
    await checkScreen(page, 'ecosystem-integrated-certificates')
    await page.getByRole('navigation', { name: 'Back to the list' }).getByRole('link').click()
    await page.getByRole('heading', { name: publisher.url }).waitFor()
    expect(faults).toEqual([])
  })
})
