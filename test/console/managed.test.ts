import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, checkScreen, chooseInMenu, startConsole } from './console.ts'

const objects = {
  'webhooks/crm': { events: ['OpenIdCredentialIssued'], url: 'https://crm.example.org/hook' },
  'claim-sources/register': {
    name: 'Register',
    url: 'https://register.example.org/q',
    authorization: { type: 'api-key', value: { $secret: 'KEY' } },
  },
}

describe('objects that files manage', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  async function apply(more: object = {}): Promise<void> {
    const bundle = {
      format: 1,
      objects: { ...objects, ...more },
      secrets: { KEY: 'a-key-of-the-register-1' },
      adopt: true,
    }
    const { operator } = opened.service
    const { basedOn } = (await operator.post('/v1/configuration/plan', bundle)).body
    expect(await operator.post('/v1/configuration/apply', { ...bundle, basedOn })).toMatchObject({ status: 200 })
  }

  test('they are marked, and a change of them is confirmed first', async () => {
    const { service, open, faults } = opened
    await apply()
    const own = await service.operator.post('/v1/webhooks', {
      ...objects['webhooks/crm'],
      url: 'https://own.example.org/',
    })
    const [crm] = (await service.operator.get('/v1/webhooks')).body.data
    const isDisabled = async () => (await service.operator.get(`/v1/webhooks/${crm.id}`)).body.disabled

    const page = await open('/webhooks')
    await page.getByText('Managed by files').waitFor()
    expect(await page.getByText('Managed by files').count()).toBe(1)
    await checkScreen(page, 'webhooks-managed')
    await page.getByRole('link', { name: 'crm.example.org' }).click()
    await page.getByText('Configuration files manage this object (“crm”).').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Disabled: nothing').check()
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: 'Change it here anyway?' })
    await question.waitFor()
    await checkScreen(page, 'webhook-managed-question')
    await page.keyboard.press('Escape')
    await page.getByText('Nothing was changed.', { exact: true }).waitFor()
    expect(await isDisabled()).toBe(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await question.getByRole('button', { name: 'Change anyway' }).click()
    await page.getByText('disabled', { exact: true }).waitFor()
    expect(await isDisabled()).toBe(true)

    await page.goto(page.url().replace(crm.id, own.body.id))
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByLabel('to confirm').fill('own.example.org')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(faults).toEqual([])
  })

  test('a locked object says so, and the service refuses its deletion', async () => {
    const { service, open, faults } = opened
    const { name } = (await service.operator.get('/v1/configuration')).body.objects.tenant
    await apply({ tenant: { name, lockManagedObjects: true } })
    const page = await open('/access?tab=claim-sources')
    await page.getByTitle('It is locked: only applying the files changes it.').waitFor()
    await checkScreen(page, 'claim-sources-locked')
    await chooseInMenu(page, 'Delete')
    await page.getByLabel('to confirm').fill('Register')
    await page.keyboard.press('Enter')
    await page.getByText('Files manage this object or a part of it (claim source register)').waitFor()
    expect((await service.operator.get('/v1/claim-sources')).body.data).toHaveLength(1)
    expect(faults).toEqual([])
  })
})
