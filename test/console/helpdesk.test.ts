import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

describe('the help desk', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('the help desk revokes a claim link that it finds by its external id, and sees no other action', async () => {
    const { open, service } = opened
    const { operator } = service
    const configurationId = await compactConfiguration(service)
    const user = (await operator.post('/v1/users', { label: 'KD-1', claims: { given_name: 'Zuzana' } })).body.id
    const offer = (await newOffer(service, [configurationId], { userId: user })).id
    const fields = bulkFields(configurationId, { mode: 'links' })
    const file = csvFile('number,given_name\n20417,Zuzana\n')
    const bulk = (await uploadTo(operator, '/v1/bulk-issuances', ['file', file], ...fields)).body.id
    await eventually(async () => (await operator.get(`/v1/bulk-issuances/${bulk}`)).body.state === 'done')
    const page = await open('/', { roles: ['helpdesk'] })
    const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
    await menu.first().waitFor()
    const areas = ['Overview', 'Offers', 'Bulk issuance', 'Users', 'Credentials']
    expect(await menu.allInnerTexts()).toEqual([...areas, 'API reference ↗'])
    for (const path of ['offers', `offers/${offer}`, 'bulk', `bulk/${bulk}`, 'users', `users/${user}`, 'credentials']) {
      await page.goto(`${service.origin}/console/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const acting = await page.locator('main :is(button, a.button):is(.primary, .danger):visible').allInnerTexts()
      expect([path, acting.filter((text) => text !== 'Search')]).toEqual([path, []])
      expect([path, await page.getByText('Your roles do not allow this').count()]).toEqual([path, 0])
      expect([path, await page.getByText('Zuzana').count()]).toEqual([path, 0])
    }
    await page.goto(`${service.origin}/console/`)
    await page
      .getByRole('button', { name: /^Search/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('combobox').fill('20417')
    await page.getByRole('dialog').getByRole('option', { selected: true }).click()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    const links = async () => (await operator.get(`/v1/bulk-issuances/${bulk}`)).body.links
    await eventually(async () => (await links()).revoked === 1)
    await checkInBothLanguages(page, 'helpdesk-claim-link')
  })
})
