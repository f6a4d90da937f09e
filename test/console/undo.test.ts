import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newEcosystem } from '../api/ecosystems/factories.ts'
import { ecosystemCas, iacas, newEcosystemCa, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { compactConfiguration, newOffer, sdJwtConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { issueSdJwt } from '../harness/issued-sd-jwt.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { newWallet } from '../wallets/wallet.ts'
import { type Console, checkInBothLanguages, checkScreen, chooseInMenu, startConsole } from './console.ts'

describe('undo', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const message = (page: Page) => page.locator('.undo')
  /** Keeps the message during the checks of the layout. */
  const hold = (page: Page) => message(page).dispatchEvent('mouseenter')
  const newWebhook = async () => {
    const hook = { events: ['OpenIdCredentialIssued'], url: 'https://receiver.example/hook' }
    return (await opened.service.operator.post('/v1/webhooks', hook)).body.id as string
  }
  const isDisabled = async (id: string) => (await opened.service.operator.get(`/v1/webhooks/${id}`)).body.disabled

  test('a revocation that can be reversed runs at once, and Undo makes the credential valid again', async () => {
    const { service, open, faults } = opened
    const configurationId = await compactConfiguration(service, { revocable: true })
    const { uri, userId } = await newOffer(service, [configurationId], { claims: { given_name: 'Ada' } })
    await (await newWallet(service, service.origin, uri)).collect()
    const statusOf = async () => (await service.operator.get(`/v1/users/${userId}/credentials`)).body.data[0].status
    const page = await open(`/credentials?configuration=${configurationId}`)
    await chooseInMenu(page, 'Revoke')
    await page.getByRole('status').getByText('Done: Revoke').waitFor()
    await page.getByRole('cell', { name: 'revoked' }).waitFor()
    expect([await page.getByRole('dialog').count(), await statusOf()]).toEqual([0, 'invalid'])
    await hold(page)
    await checkScreen(page, 'undo-credentials')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: 'valid', exact: true }).waitFor()
    await message(page).waitFor({ state: 'detached' })
    expect(await statusOf()).toBe('valid')
    expect(faults).toEqual([])
  })

  test('a suspension can be undone, and a final revocation keeps its question', async () => {
    const { service, open, faults } = opened
    await newIaca(service)
    const configurationId = await sdJwtConfiguration(service, { includeStatus: true })
    const [issued] = await issueSdJwt(service, service, configurationId)
    const page = await open(`/credentials?configuration=${configurationId}`)
    await chooseInMenu(page, 'Suspend')
    await page.getByRole('cell', { name: 'suspended' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: 'valid', exact: true }).waitFor()
    await chooseInMenu(page, 'Revoke')
    await page.getByLabel('to confirm').fill('revoke')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'revoked' }).waitFor()
    expect(await message(page).count()).toBe(0)
    const { status } = (await service.operator.get(`/v2/credentials/sd-jwt/${issued?.id}/status`)).body
    expect([status, await page.getByRole('button', { name: 'Actions' }).count()]).toEqual(['invalid', 0])
    expect(faults).toEqual([])
  })

  test('a keyboard user lands on the message, and Undo enables the webhook again', async () => {
    const { open, faults } = opened
    const id = await newWebhook()
    const page = await open(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'Disable' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.undo:focus').getByText('Done: Disable').waitFor()
    await page.getByText('Waiting deliveries have ended.').waitFor()
    await hold(page)
    await checkInBothLanguages(page, 'undo')
    await message(page).focus()
    expect(await isDisabled(id)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await message(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    expect([await isDisabled(id), await page.locator('main:focus').count()]).toEqual([false, 1])

    await page.getByRole('button', { name: 'Disable' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.undo:focus').waitFor()
    await page.keyboard.press('Escape')
    await message(page).waitFor({ state: 'detached' })
    expect(await isDisabled(id)).toBe(true)
    expect(faults).toEqual([])
  })

  test('Undo reverses the deactivation and the activation of a certificate', async () => {
    const { service, open, faults } = opened
    const { operator } = service
    const { id: iacaId } = await newIaca(service)
    const { id: signerId } = (await operator.post(signersPath('document-signer'), { iacaId })).body
    const { id: caId } = await newEcosystemCa(service)
    const signer = `${signersPath('document-signer')}/${signerId}`
    await operator.put(signer, { active: true })
    const [action, inverse] = ['Deactivate', 'Activate']
    const screens: [screen: string, path: string][] = [
      [`/certificates/document-signer/${signerId}`, signer],
      [`/certificates/iaca/${iacaId}`, `${iacas}/${iacaId}`],
      ['/ecosystems/certificates', `${ecosystemCas}/${caId}`],
    ]
    for (const [screen, path] of screens) {
      const isActive = async () => (await operator.get(path)).body.active
      expect([path, await isActive()]).toEqual([path, true])
      const page = await open(screen)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const press = (name: string) => button(name).click()
      // An inactive root has more than one action.
      const isInMenu = screen.startsWith('/ecosystems')
      const inactive = button(isInMenu ? 'Actions' : inverse)
      await press(action)
      await inactive.waitFor()
      expect([path, await isActive(), await page.getByRole('dialog').count()]).toEqual([path, false, 0])
      await press('Undo')
      await button(action).waitFor()
      expect([path, await isActive()]).toEqual([path, true])
      await operator.put(path, { active: false })
      await page.reload()
      await (isInMenu ? chooseInMenu(page, inverse) : press(inverse))
      await button(action).waitFor()
      expect([path, await isActive()]).toEqual([path, true])
      await press('Undo')
      await inactive.waitFor()
      expect([path, await isActive()]).toEqual([path, false])
    }
    expect(faults).toEqual([])
  })

  test('Undo enables an imported list again and keeps the other list', async () => {
    const { service, open, faults } = opened
    const urls = ['https://lists.example.org/one.cbor', 'https://lists.example.org/two.cbor']
    const integrations = urls.map((url) => ({ format: 'VICAL', url, enabled: true }))
    const path = await newEcosystem(service, { name: 'Imports', integrations })
    const enabled = async () =>
      (await service.operator.get(path)).body.integrations.map((each: { enabled: boolean }) => each.enabled)
    const page = await open(`${path.replace('/v1', '')}?tab=integrations`)
    await page.getByRole('button', { name: 'Disable', exact: true }).first().click()
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor()
    const disabled = await enabled()
    expect([disabled.length, disabled.filter(Boolean).length, await page.getByRole('dialog').count()]).toEqual([
      2, 1, 0,
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Disable', exact: true }).nth(1).waitFor()
    expect(await enabled()).toEqual([true, true])
    expect(faults).toEqual([])
  })

  test('the message stays for 10 s, and longer while it is hovered or focused', async () => {
    const { open, faults } = opened
    const page = await open(`/webhooks/${await newWebhook()}`)
    await page.clock.install()
    await page.getByRole('button', { name: 'Disable' }).click()
    await message(page).waitFor()
    await page.clock.runFor(8_000)
    expect(await message(page).count()).toBe(1)
    await message(page).hover()
    await page.clock.runFor(30_000)
    expect(await message(page).count()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).focus()
    await page.mouse.move(0, 0)
    await page.clock.runFor(30_000)
    expect(await message(page).count()).toBe(1)
    await page.locator('main').focus()
    await page.clock.runFor(2_500)
    expect(await message(page).count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('an Undo that fails shows why and stays', async () => {
    const { service, open, faults } = opened
    const id = await newWebhook()
    const page = await open(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'Disable' }).click()
    await message(page).waitFor()
    await service.operator.delete(`/v1/webhooks/${id}`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await message(page).getByRole('alert').waitFor()
    await message(page).getByRole('button', { name: 'Close' }).click()
    await message(page).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  test('Undo continues a paused bulk issuance', async () => {
    const { service, open, faults } = opened
    const configurationId = await compactConfiguration(service)
    const fields = bulkFields(configurationId, { validateOnly: 'true' })
    const file = csvFile('number,given_name\n1,Ada\n')
    const { id } = (await uploadTo(service.operator, '/v1/bulk-issuances', ['file', file], ...fields)).body
    const bulk = `/v1/bulk-issuances/${id}`
    const stateOf = async () => (await service.operator.get(bulk)).body.state
    await eventually(async () => (await stateOf()) === 'ready')
    // Without workers it keeps running.
    await service.workers.stop()
    await service.operator.post(`${bulk}/start`)
    const page = await open(`/bulk/${id}`)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('paused', { exact: true }).waitFor()
    expect([await stateOf(), await page.getByRole('dialog').count()]).toEqual(['paused', 0])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('running', { exact: true }).waitFor()
    expect(await stateOf()).toBe('running')
    expect(faults).toEqual([])
  })
})
