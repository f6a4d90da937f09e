import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ecosystemCas, iacas, newEcosystemCa, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { compactConfiguration, newOffer, sdJwtConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { newWallet } from '../wallets/wallet.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

describe('names and labels', { tags: 'chromium' }, () => {
  let opened: Console
  let configurationId: string
  beforeAll(async () => {
    opened = await startConsole()
    configurationId = await compactConfiguration(opened.service, { display: [{ name: 'Library card' }] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an operator gives a user a label, finds the user by it, changes it and removes it', async () => {
    const { service, open, faults } = opened
    await service.operator.post('/v1/users', { label: 'KD-100' })
    const page = await open('/users')
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('dialog').getByLabel('Label').fill('KD-200')
    await checkScreen(page, 'new-user')
    await page.getByRole('dialog').getByLabel('Label').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'KD-200' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await checkScreen(page, 'user-label')
    await page.getByRole('button', { name: 'Change the label' }).press('Enter')
    await page.getByRole('dialog').getByLabel('Label').fill('KD-201')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'KD-201' }).waitFor()

    await page.goto(`${service.origin}/console/users`)
    await page.getByRole('link', { name: 'KD-100' }).waitFor()
    await page.getByLabel('Label').fill('kd-201')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'KD-100' }).waitFor({ state: 'detached' })
    // The label is in the fragment, which browsers do not send.
    expect(new URL(page.url()).search).toBe('')
    const link = page.getByRole('link', { name: 'KD-201' })
    expect(await link.getAttribute('title')).toBe(`KD-201\n${id}`)
    await checkScreen(page, 'users-by-label')
    await link.click()
    await page.getByRole('button', { name: 'Change the label' }).click()
    await page.getByRole('dialog').getByLabel('Label').fill('')
    await page.keyboard.press('Enter')
    await page.getByText('none', { exact: true }).waitFor()
    expect((await service.operator.get(`/v1/users/${id}`)).body).toStrictEqual({ id, claims: {} })
    expect(faults).toEqual([])
  })

  test('an operator gives an offer a label, which the list and the offer show', async () => {
    const { open, faults } = opened
    const page = await open(`/offers/new?credentials=${configurationId}`)
    await page.getByLabel('Label').fill('Order 4711')
    await page.getByLabel('given_name').fill('Ada')
    await page.getByRole('button', { name: 'Create the offer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Order 4711', exact: true }).waitFor()
    // Browsers keep titles in their history.
    expect(await page.title()).toBe('Offer · Trustwright')
    await checkScreen(page, 'offer-label')
    await page.getByRole('navigation', { name: 'Back to the list' }).getByRole('link').click()
    await page.getByRole('link', { name: 'Order 4711' }).waitFor()
    await checkScreen(page, 'offers-label')
    expect(faults).toEqual([])
  })

  test('objects that others name by id have their name, and the name and the id in the tooltip', async () => {
    const { service, open, faults } = opened
    const nameless = await compactConfiguration(service)
    const user = (await service.operator.post('/v1/users', { label: 'KD-300' })).body
    const offer = await newOffer(service, [configurationId, nameless], { userId: user.id })
    await (await newWallet(service, service.origin, offer.uri)).collect()
    const page = await open('/offers')
    const link = page.getByRole('link', { name: 'KD-300' })
    await link.waitFor()
    expect(await link.getAttribute('title')).toBe(`KD-300\n${user.id}`)
    await page.getByRole('button', { name: `Copy: ${user.id}` }).waitFor()
    await page.getByRole('cell', { name: 'Library card, (no name) compact: given_name' }).waitFor()
    await checkScreen(page, 'offers-names')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('cell', { name: 'Library card, (ohne Namen) compact: given_name' }).waitFor()

    await page.goto(`${service.origin}/console/configurations`)
    await page.getByRole('link', { name: '(ohne Namen) compact: given_name' }).waitFor()
    await page.goto(`${service.origin}/console/events`)
    const name = (await service.operator.get(`/v1/tenants/${service.id}/clients/${service.clientId}`)).body.name
    const created = page.getByRole('link', { name: `${name} created a user: KD-300`, exact: true })
    await page.getByLabel('Sprache').selectOption('English')
    await created.waitFor()
    const filter = { configurationId }
    await service.operator.post('/v2/credentials/revocation-status', { filter, isRevoked: true })
    const types = 'types=CREDENTIAL_REVOCATION_STATUS_BULK_SET_SUCCESS'
    await eventually(async () => (await service.operator.get(`/v1/events?${types}`)).body.data.length > 0)
    await page.reload()
    await page.getByRole('link', { name: `${name} revoked 1 credential of Library card`, exact: true }).waitFor()
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('link', { name: `${name} hat einen Benutzer angelegt: KD-300`, exact: true }).waitFor()
    await checkScreen(page, 'events-names')

    // An auditor cannot read clients, and sees the id.
    const auditor = await open('/events', { roles: ['auditor'] })
    await auditor.getByRole('row').nth(1).waitFor()
    const id = `Client ${service.clientId.slice(0, 8)}…`
    await auditor
      .getByRole('link', { name: `${id} created a user`, exact: true })
      .first()
      .waitFor()
    expect(await auditor.getByRole('link', { name: new RegExp(`^${name} `) }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('the data of an event has the names of certificates and configurations', async () => {
    const { service, open, faults } = opened
    const { operator } = service
    const { id: iacaId } = await newIaca(service)
    const { id: caId } = await newEcosystemCa(service)
    const signers: [path: string, authority: object, screen: string][] = [
      [signersPath('document-signer'), { iacaId }, 'document-signer'],
      [signersPath('status-list-signer'), { iacaId }, 'status-list-signer'],
      [signersPath('sd-jwt-signer'), { iacaId }, 'sd-jwt-signer'],
      [signersPath('vical-signer'), { caId }, 'vical-signer'],
    ]
    const rows: [id: string, name: string, screen: string][] = []
    for (const [path, authority, screen] of signers) {
      const { id, certificateData } = (await operator.post(path, authority)).body
      rows.push([id, certificateData.commonName, `certificates/${screen}`])
    }
    rows.push([
      caId,
      (await operator.get(`${ecosystemCas}/${caId}`)).body.certificateData.commonName,
      'certificates/ecosystem-ca',
    ])
    rows.push([iacaId, (await operator.get(`${iacas}/${iacaId}`)).body.certificateData.commonName, 'certificates/iaca'])
    rows.push([await compactConfiguration(service), '(no name) compact: given_name, level', 'configurations/compact'])
    const display = [{ name: 'Diploma', locale: 'en' }]
    rows.push([await sdJwtConfiguration(service, { display }), 'Diploma', 'configurations/sd-jwt'])
    const page = await open('/events')
    for (const [id, name, screen] of rows) {
      const event = await eventually(async () => {
        const { data } = (await operator.get(`/v1/events?objectId=${id}&show=changes`)).body
        return data.find(({ type }: { type: string }) => type.includes('CREATE'))
      })
      await page.goto(`${service.origin}/console/events/${event.id}`)
      const link = page
        .getByRole('main')
        .getByRole('link', { name, exact: true })
        .and(page.locator(`[title$="${id}"]`))
      await link.first().waitFor()
      expect(await link.first().getAttribute('href')).toBe(`/console/${screen}/${id}`)
    }
    await page.goto(`${service.origin}/console/events?objectId=${caId}`)
    await checkScreen(page, 'event-names')
    expect(faults).toEqual([])
  })
})
