import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { createTestKeyProvider } from '../harness/test-key-provider.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

describe('where keys are', { tags: 'chromium' }, () => {
  const token = createTestKeyProvider()
  let opened: Console
  beforeAll(async () => {
    const env = { KEY_PROVIDER: 'pkcs11', REQUIRE_HARDWARE_KEYS: 'tokens' }
    opened = await startConsole({ keyProviders: [token.provider], env })
    const { operator } = opened.service
    const root = { commonName: 'Root', country: 'NZ', active: true }
    expect(await operator.post('/v2/credentials/mobile/iacas', root)).toMatchObject({ status: 201 })
    expect(await operator.post('/v1/ecosystems/certificates/ca', root)).toMatchObject({ status: 201 })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('keys, DIDs, certificates and the overview show it', async () => {
    const { open, faults } = opened
    const page = await open('/settings')
    await page.getByText('As the platform decides (default)').waitFor()
    await page.getByRole('link', { name: 'Keys' }).click()
    const row = page.getByRole('row').filter({ hasText: 'ECDH-ES' })
    await row.getByRole('cell', { name: 'pkcs11', exact: true }).waitFor()
    await page.getByRole('row').filter({ hasText: 'Bls12381G2' }).getByText('in the database').waitFor()
    await checkScreen(page, 'keys-in-token')
    await page.getByRole('link', { name: 'DIDs' }).click()
    await page.getByText('2 key: pkcs11').waitFor()
    await page.getByRole('link', { name: 'Certificates' }).first().click()
    await page.getByText('key: pkcs11').first().waitFor()
    await checkScreen(page, 'certificates-in-token')
    await page.getByRole('link', { name: 'Root', exact: true }).first().click()
    await page.getByText('Private key', { exact: true }).waitFor()
    await page.getByText('pkcs11', { exact: true }).waitFor()
    const certificatePage = page.url()
    await page.goto(`${opened.service.origin}/console/`)
    await page.getByText('key: pkcs11').first().waitFor()
    // The job that destroys the keys of ended certificates leaves this.
    const isOfCertificate = eq(keys.ownerKind, 'certificate')
    const retired = { handle: null, retiredAt: opened.service.clock.now() }
    await opened.service.deps.db.tx((tx) => tx.update(keys).set(retired).where(isOfCertificate))
    await page.goto(certificatePage)
    await page.getByText('destroyed in pkcs11', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  test('a platform user chooses among the providers of the platform, and no software where hardware is required', async () => {
    const { service, open, faults } = opened
    const page = await open(`/tenants/${service.id}`, { host: 'platform' })
    const optionsOf = (label: string) => page.getByLabel(label, { exact: true }).locator('option').allInnerTexts()
    await expect.poll(() => optionsOf('Keys of DIDs')).toEqual(['–', 'in the database', 'pkcs11'])
    expect(await optionsOf('Keys of management tokens')).toEqual(['–', 'pkcs11'])
    await page.getByText('The platform requires hardware.').waitFor()
    await page.getByLabel('Keys of DIDs', { exact: true }).selectOption('software')
    await checkScreen(page, 'tenant-keys')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const path = `/v1/tenants/${service.id}`
    expect((await service.platform.get(path)).body.keys).toEqual({ dids: 'software' })
    await expect.poll(() => page.getByLabel('Keys of DIDs', { exact: true }).inputValue()).toBe('software')
    await page.getByLabel('Keys of DIDs', { exact: true }).selectOption('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await service.platform.get(path)).body.keys).toEqual({})
    expect(faults).toEqual([])
  })
})
