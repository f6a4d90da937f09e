import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

describe('offers of views and authorization servers', { tags: 'chromium' }, () => {
  let opened: Console
  let configurationId: string
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    configurationId = await compactConfiguration(service, { display: [{ name: 'Library card' }] })
    const view = { name: 'Paper', path: 'paper', profile: 'standard', configurations: { profiles: ['compact'] } }
    expect(await service.operator.post('/v1/views', view)).toMatchObject({ status: 201 })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an issuer chooses the view of an offer, and sees that a wallet of the tenant cannot read it', async () => {
    const { service, open, faults } = opened
    const [view] = (await service.operator.get('/v1/views')).body.data
    await service.operator.put('/v1/settings?partial=true', { walletFamilies: ['eudi-ios'] })
    const page = await open(`/offers/new?credentials=${configurationId}`, { roles: ['issuer'] })
    await page.getByLabel('given_name').fill('Ada')
    await page.getByLabel('View').selectOption('Paper')
    await checkInBothLanguages(page, 'new-offer-of-view')
    await page.getByRole('button', { name: 'Create the offer' }).press('Enter')
    await page.getByText('EUDI Wallet for iOS cannot read this offer', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'Paper' }).waitFor()
    await page.goto(`${service.origin}/console/offers`)
    await page.getByRole('columnheader', { name: 'View' }).waitFor()
    await page.getByRole('row').getByRole('link', { name: 'Paper' }).click()
    await page.getByRole('cell', { name: 'Paper', exact: true }).waitFor()
    const { body } = await service.operator.get('/v1/openid/offers')
    expect(body.data).toMatchObject([{ kind: 'pre-authorized', view: view.id }])
    expect(faults).toEqual([])
  })

  test('an operator chooses the view of a claim link and of the links of a file', async () => {
    const { service, open, faults } = opened
    const [view] = (await service.operator.get('/v1/views')).body.data
    const page = await open(`/bulk/person?configuration=${configurationId}`, { roles: ['issuer'] })
    await page.getByLabel('given_name').fill('Ada')
    await page.getByLabel('View').selectOption('Paper')
    await page.getByRole('button', { name: 'Make the link' }).press('Enter')
    const views = async (source: string) => {
      const { body } = await service.operator.get(`/v1/bulk-issuances?source=${source}`)
      return body.data.map((bulk: { view?: string }) => bulk.view)
    }
    await expect.poll(() => views('person')).toEqual([view.id])

    await page.goto(`${service.origin}/console/bulk/new?configuration=${configurationId}`)
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('id,given_name\n1,Ada\n') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByLabel('View').selectOption('Paper')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('link', { name: 'Paper' }).waitFor()
    expect(await views('file')).toEqual([view.id])
    expect(faults).toEqual([])
  })

  test('an offer for everyone names its authorization server, and shows its warnings', async () => {
    const { service, open, faults } = opened
    const server = { name: 'City', issuer: 'https://login.example.com/realms/city', audience: service.origin }
    const created = await service.operator.post('/v1/openid/authorization-servers', server)
    expect(created).toMatchObject({ status: 201 })
    await service.operator.put('/v1/settings?partial=true', { walletFamilies: ['eudi-ios'] })
    const page = await open(`/offers/new?credentials=${configurationId}&for=anybody`, { roles: ['issuer'] })
    await page.getByLabel('Authorization server').selectOption('City')
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/offers'))
    await page.getByRole('button', { name: 'Create the offer' }).press('Enter')
    expect((await sent).postDataJSON()).toMatchObject({ authorizationServer: created.body.id })
    await page.getByText('EUDI Wallet for iOS cannot read this offer', { exact: false }).waitFor()
    await page.getByText('For everyone who signs in').waitFor()
    expect(faults).toEqual([])
  })
})
