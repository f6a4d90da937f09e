import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../harness/harness.ts'
import { type Console, checkInBothLanguages, chooseInMenu, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('messages', { tags: 'chromium' }, () => {
  let opened: Console
  let did: string
  beforeAll(async () => {
    opened = await startConsole()
    did = (await opened.service.operator.post('/v1/dids', { method: 'key' })).body.did
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('a keyboard user creates an inbox, sends a message to its DID, reads it and deletes both', async () => {
    const { service, open, faults } = opened
    const path = '/v1/messaging/inboxes'
    const page = await open('/messages', { roles: ['issuer'] })
    const press = (name: string) =>
      page.getByRole('main').getByRole('button', { name, exact: true }).first().press('Enter')
    const choose = (name: string) => chooseInMenu(page, name, true)
    const dialog = page.getByRole('dialog')
    await press('New inbox')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByText('Please fill this in').waitFor()
    await page.getByLabel('Name').fill(canary)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: canary }).waitFor()
    await checkInBothLanguages(page, 'inboxes')
    const [{ id }] = (await service.operator.get(path)).body.data
    await page.getByRole('link', { name: canary }).press('Enter')
    await page.getByText('No message yet.').waitFor()
    await press('Register a DID')
    await page.keyboard.type('did')
    await page.keyboard.press('Enter')
    await dialog.getByText('Must be a DID').waitFor()
    await dialog.getByLabel('DID', { exact: true }).fill(did)
    await page.keyboard.press('Enter')
    await page.getByRole('row').nth(1).waitFor()

    await page.getByRole('link', { name: 'Messages' }).first().click()
    await page.getByRole('link', { name: 'Send' }).click()
    await page.getByLabel('Recipients').fill('Ada')
    await page.getByRole('button', { name: 'Send' }).press('Enter')
    await page.getByText('Must be a DID or the DID URL of a key').waitFor()
    await page.getByLabel('Recipients').fill(did)
    await page.getByLabel('Content').fill(JSON.stringify({ text: canary }))
    await checkInBothLanguages(page, 'send-message')
    await page.getByRole('button', { name: 'Send' }).press('Enter')
    await page.getByText('The message was sent.').waitFor()
    await eventually(async () => (await service.operator.get(`${path}/${id}/messages`)).body.data.length === 1)

    await page.goto(`${service.origin}/console/messages/${id}`)
    await choose('Decrypt')
    await dialog.getByText(canary.slice(2)).waitFor()
    await checkInBothLanguages(page, 'message')
    await page.keyboard.press('Escape')
    await choose('Delete')
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByText('No message yet.').waitFor()
    await press('Remove')
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByText('No DID is registered yet.').waitFor()
    await page.getByRole('link', { name: '← Messages' }).click()
    await choose('Edit')
    await page.getByLabel('Name').fill('Desk')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Desk' }).waitFor()
    await choose('Delete')
    await page.keyboard.type('Desk')
    await page.keyboard.press('Enter')
    await page.getByText('No inbox yet.').waitFor()
    expect(faults).toEqual([])
  })

  test('an issuer signs a payload and verifies signatures', async () => {
    const { open, faults } = opened
    const page = await open('/messages?tab=signatures', { roles: ['issuer'] })
    await page.getByLabel('Payload', { exact: true }).fill(JSON.stringify({ text: canary }))
    await page.getByRole('button', { name: 'Sign', exact: true }).press('Enter')
    await page.locator('pre').first().waitFor()
    const jws = await page.locator('pre').first().innerText()
    await page.getByLabel('Signed payload (JWS)').fill(jws)
    await page.getByRole('button', { name: 'Verify' }).press('Enter')
    await page.getByText('verified', { exact: true }).waitFor()
    await page.locator('pre').getByText(canary.slice(2)).waitFor()
    await checkInBothLanguages(page, 'signatures')
    await page.getByLabel('Signed payload (JWS)').fill(`${jws.slice(0, -6)}AAAAAA`)
    await page.getByRole('button', { name: 'Verify' }).press('Enter')
    await page.getByText('not verified').waitFor()
    expect(faults).toEqual([])
  })
})
