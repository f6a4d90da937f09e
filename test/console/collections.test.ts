import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, checkInBothLanguages, chooseInMenu, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('presentations, DIDs, JSON-LD contexts and apps of holders', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole({ roles: ['signing'] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const listed = async (path: string) => (await opened.service.operator.get(path)).body.data
  const press = async (page: Page, name: string) => {
    await page.getByRole('main').getByRole('button', { name, exact: true }).first().focus()
    await page.keyboard.press('Enter')
  }
  /** Deletes the only object by keyboard. The user types a word to confirm. */
  const remove = async (page: Page, word: string) => {
    const hasMenu = (await page.getByRole('button', { name: 'Actions' }).count()) > 0
    await (hasMenu ? chooseInMenu(page, 'Delete', true) : press(page, 'Delete'))
    await page.getByRole('dialog').getByLabel('to confirm').waitFor()
    await page.keyboard.type(word)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('a verifier creates a template and a request with a QR code, and changes and deletes the template', async () => {
    const { open, faults } = opened
    const path = '/v2/credentials/web-semantic/presentations/templates'
    const page = await open('/verification?tab=presentations', { roles: ['verifier'] })
    await page.getByText('No template yet.').waitFor()
    await press(page, 'New template')
    await page.getByLabel('Name').fill(canary)
    await page.getByLabel('Domain').fill('https://shop.example')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByText('Must be a domain without a scheme').waitFor()
    await page.getByLabel('Domain').fill('shop.example')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: canary, exact: true }).waitFor()
    expect(await listed(path)).toMatchObject([{ name: canary, domain: 'shop.example' }])
    await page.getByRole('cell', { name: 'CourseCertificate' }).waitFor()
    await checkInBothLanguages(page, 'presentations')

    await chooseInMenu(page, 'New request')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address for the presentation').fill('https://shop.example/presentations')
    await dialog.getByRole('button', { name: 'New request' }).click()
    await dialog.getByRole('img', { name: 'QR code of the request' }).waitFor()
    expect(await dialog.locator('code').innerText()).toMatch(/^didcomm:\/\//)
    await checkInBothLanguages(page, 'presentation-request')
    await page.keyboard.press('Escape')
    await chooseInMenu(page, 'Edit')
    await page.getByLabel('Name').fill('Library')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Library' }).waitFor()
    await remove(page, 'Library')
    await page.getByText('No template yet.').waitFor()
    expect(await listed(path)).toEqual([])
    expect(faults).toEqual([])
  })

  test('an issuer creates and deletes DIDs and JSON-LD contexts', async () => {
    const { open, faults } = opened
    const page = await open('/settings?tab=dids', { roles: ['issuer'] })
    const dialog = page.getByRole('dialog')
    await press(page, 'New DID')
    await dialog.getByLabel('Method and key').selectOption('did:web')
    await dialog.getByLabel('Domain').fill('https://campus.example')
    await page.keyboard.press('Enter')
    await dialog.getByText('Must be a domain without a scheme').waitFor()
    await dialog.getByLabel('Domain').fill('campus.example')
    await page.keyboard.press('Enter')
    await page.locator('.did').nth(1).waitFor()
    expect((await listed('/v1/dids'))[1].did).toBe('did:web:campus.example')
    await checkInBothLanguages(page, 'own-dids')
    await remove(page, 'delete')
    await page.locator('.did').nth(1).waitFor({ state: 'detached' })
    expect(await listed('/v1/dids')).toHaveLength(1)

    const path = '/v2/credentials/web-semantic/contexts'
    await page.getByRole('link', { name: 'JSON-LD contexts' }).click()
    await press(page, 'New context')
    await page.getByLabel('Address').fill('https://terms.example/course/v1')
    await page.getByLabel('Document').fill('{"@context": 1}')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.field.wrong').waitFor()
    await page.getByLabel('Document').fill(`{"@context": {"level": "https://terms.example/${'x'.repeat(90)}"}}`)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('cell', { name: 'https://terms.example/course/v1' }).waitFor()
    expect(await listed(path)).toMatchObject([{ url: 'https://terms.example/course/v1' }])
    await chooseInMenu(page, 'Document')
    await dialog.getByText('"level": "https://terms.example').waitFor()
    await checkInBothLanguages(page, 'context')
    await page.keyboard.press('Escape')
    await remove(page, 'https://terms.example/course/v1')
    await page.getByText('No context of your own yet.').waitFor()
    expect(await listed(path)).toEqual([])
    expect(faults).toEqual([])
  })

  test('a user with the role holder manages apps and sees their instances', async () => {
    const { service, open, faults } = opened
    const path = '/v1/holder/applications'
    const page = await open('/access', { roles: ['holder'] })
    expect(await page.locator('.tabs a').allInnerTexts()).toEqual(['Apps of holders', 'Management token'])
    await press(page, 'New app')
    await page.getByLabel('Name', { exact: true }).fill(canary)
    await page.getByLabel('Package name').fill('wallet')
    await page.getByLabel('Signing certificates').fill('ab'.repeat(32))
    await page.getByLabel('The device must protect the key').uncheck()
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByText('Must be the name of a package').waitFor()
    await checkInBothLanguages(page, 'holder-app')
    await page.getByLabel('Package name').fill('com.example.wallet')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByRole('cell', { name: canary, exact: true }).waitFor()
    const [{ id, ...app }] = await listed(path)
    expect(app).toMatchObject({ type: 'android', name: canary, keyAttestation: { required: false } })

    const { challenge } = (await service.anonymous.post(`${path}/${id}/challenges`)).body
    const publicKeyJwk = {
      ...{ kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU' },
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    }
    expect(await service.anonymous.post(`${path}/${id}/instances`, { challenge, publicKeyJwk })).toMatchObject({
      status: 201,
    })
    await chooseInMenu(page, 'Instances')
    await page.getByRole('dialog').getByRole('row').nth(1).waitFor()
    await checkInBothLanguages(page, 'holder-instances')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).last().click()
    await page.getByText('No instance is registered yet.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await chooseInMenu(page, 'Edit')
    await page.getByLabel('Name', { exact: true }).fill('Campus wallet')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Campus wallet' }).waitFor()
    await remove(page, 'Campus wallet')
    await page.getByText('No app yet.').waitFor()
    await press(page, 'New app')
    await page.getByLabel('Platform').selectOption('ios')
    await page.getByLabel('Bundle identifier').waitFor()
    expect(faults).toEqual([])
  })
})
