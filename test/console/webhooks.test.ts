import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../harness/harness.ts'
import { startReceiver } from '../servers/receiver.ts'
import { type Console, checkInBothLanguages, checkScreen, startConsole } from './console.ts'

const canary = '<img src=x onerror="document.title=1">"><script>document.title=2</script>'

describe('webhooks', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an admin creates, tests, changes and deletes a webhook, and the answer of the receiver is shown as text', async () => {
    const { service, open, faults } = opened
    await using receiver = await startReceiver(() => ({ status: 500, body: canary }))
    const page = await open('/webhooks')
    await page.getByText('No webhook yet').waitFor()
    await page.getByText(`${service.origin}/v1/webhooks/jwks`).waitFor()
    await page.getByRole('link', { name: 'New webhook' }).first().click()

    await page.getByLabel('Address').fill('https://user:pw@hooks.example/x')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.fault').waitFor()
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('group', { name: 'Credentials and users' }).getByLabel('User erased').waitFor()
    await page.getByRole('group', { name: 'Operation', exact: true }).getByLabel('Keys replaced').waitFor()
    await checkInBothLanguages(page, 'webhook-new')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
    const [webhook] = (await service.operator.get('/v1/webhooks')).body.data
    expect(webhook).toMatchObject({ url: receiver.url, events: ['OpenIdCredentialIssuedSummary'], disabled: false })

    await page.getByRole('button', { name: 'Send a test' }).click()
    const result = page.getByRole('status').filter({ hasText: 'The test has not arrived' })
    await result.getByText(canary).waitFor()
    await page.locator('summary', { hasText: 'answered 500' }).click()
    await page.getByText('Request', { exact: true }).click()
    await page.getByText(`POST ${receiver.url}`).waitFor()
    const [sent] = receiver.deliveries
    await page.getByText(sent!.rawBody, { exact: true }).waitFor()
    await page.getByText(`"@signature-params": ${sent!.headers['signature-input']!.slice('sig1='.length)}`).waitFor()
    await checkScreen(page, 'webhook')

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('with the credential').check()
    const events = ['OpenIdCredentialIssued']
    await service.operator.put(`/v1/webhooks/${webhook.id}`, { events, url: receiver.url })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another user has changed this in the meantime').waitFor()
    expect(await page.getByLabel('with the credential').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Show the current version' }).click()
    await page.getByLabel('only ids').and(page.locator(':not(:checked)')).waitFor()
    await page.getByLabel('Disabled: nothing is sent').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('disabled', { exact: true }).waitFor()
    expect((await service.operator.get(`/v1/webhooks/${webhook.id}`)).body).toMatchObject({ events, disabled: true })

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByLabel('to confirm').fill('127.0.0.1')
    await page.keyboard.press('Enter')
    await page.getByText('No webhook yet').waitFor()
    expect((await service.operator.get('/v1/webhooks')).body.data).toEqual([])
    expect(faults).toEqual([])
  })

  test('an issuer resends failed deliveries since a time by keyboard, and the list shows the states in German', async () => {
    const { service, open, faults } = opened
    // 410 disables the webhook.
    let status = 410
    await using receiver = await startReceiver(() => ({ status }))
    const { operator } = service
    const { body } = await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url: receiver.url })
    await operator.post(`/v1/webhooks/${body.id}/test`)
    await eventually(async () => (await operator.get('/v1/overview/webhooks')).body.data[0]?.reason === 'disabled')
    await operator.put(`/v1/webhooks/${body.id}`, { events: body.events, url: body.url, disabled: false })
    const path = `/v1/webhooks/${body.id}/deliveries?status=failed`
    expect((await operator.get(path)).body.data).toHaveLength(1)

    status = 200
    const before = receiver.deliveries.length
    const page = await open(`/webhooks/${body.id}?status=failed`, { roles: ['issuer'] })
    await page.getByRole('cell', { name: 'failed' }).waitFor()
    await page.getByRole('button', { name: 'Send again since' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Which').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Sent again: 1').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('No delivery is in this state.').waitFor()
    await eventually(async () => receiver.deliveries.length > before)

    await page.goto(`${service.origin}/console/webhooks`)
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('cell', { name: 'funktioniert' }).waitFor()
    await checkScreen(page, 'webhooks')

    const restrictedPage = await open('/webhooks/new', { roles: ['verifier'] })
    await restrictedPage.getByText('Your roles do not allow this').waitFor()
    expect(await restrictedPage.getByRole('link', { name: 'Webhooks', exact: true }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
