import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { startTokenServer, type TokenServer } from '../servers/token-server.ts'
import { type Console, checkInBothLanguages, checkScreen, chooseInMenu, startConsole } from './console.ts'

const path = '/v1/openid/authorization-servers'
const clientSecret = 'aSecretBetweenTheTwoServers'

describe('authorization servers', { tags: 'chromium' }, () => {
  let opened: Console
  let server: TokenServer
  let configurationId: string
  beforeAll(async () => {
    opened = await startConsole()
    server = await startTokenServer(opened.service.origin)
    configurationId = await compactConfiguration(opened.service, { display: [{ name: 'Library card' }] })
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await opened?.[Symbol.asyncDispose]()
  })

  /** Tests the server of a row, and closes the result. */
  const tryIn = async (row: Locator, dialog: Locator, texts: readonly string[]) => {
    await chooseInMenu(row, 'Try it')
    for (const text of texts) await dialog.getByText(text).first().waitFor()
    await dialog.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  test('an issuer adds a server, tests it, asks it about tokens with a secret that stays hidden, and deletes it', async () => {
    const { service, open, faults } = opened
    const serverOf = async () => (await service.operator.get(path)).body.data.at(0)
    const page = await open('/access?tab=authorization-servers', { roles: ['issuer'] })
    const dialog = page.getByRole('dialog')
    await page.getByText('No server of your own yet.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Add a server' }).first().press('Enter')
    const steps = await page.getByRole('link', { name: 'Steps for Keycloak' }).getAttribute('href')
    const [guide = '', part] = steps?.split('#') ?? []
    const guidePage = await page.request.get(new URL(guide, page.url()).href)
    expect(await guidePage.text()).toContain(`id="${part}"`)
    await page.getByLabel('Name', { exact: true }).fill('Keycloak')
    await page.getByLabel('Issuer', { exact: true }).fill('https://login.example.org/')
    await page.getByLabel('Form of the tokens').selectOption('Keycloak')
    await page.getByLabel('Claims to store with the user').fill('given_name\nfamily_name')
    await page.getByRole('button', { name: 'Add a scope' }).press('Enter')
    await page.getByLabel('Scope', { exact: true }).fill('library')
    await page.getByRole('button', { name: 'Add a scope' }).click()
    await page.getByLabel('Scope', { exact: true }).last().fill('wrong')
    await checkInBothLanguages(page, 'access-authorization-server-edit')
    await page.getByRole('button', { name: 'Delete: wrong' }).click()
    await page.getByLabel('Configuration', { exact: true }).selectOption('Library card')
    await page.getByLabel('Issuer', { exact: true }).fill(server.issuer)
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    const row = page.getByRole('row', { name: 'Keycloak' })
    await row.getByText('By their signature').waitFor()
    const created = await serverOf()
    expect(created).toStrictEqual({
      ...{ id: created.id, name: 'Keycloak', issuer: server.issuer, audience: service.origin, jwtProfile: 'keycloak' },
      ...{ scopes: { library: configurationId }, subjectClaim: 'sub', userInfo: false },
      claimsToPersist: ['given_name', 'family_name'],
    })
    await tryIn(row, dialog, ['It works', 'passed', 'Keys'])
    server.isDown = true
    await tryIn(row, dialog, ['It does not work', 'failed', 'Description (discovery)'])
    server.isDown = false

    await chooseInMenu(row, 'Edit')
    await page.getByLabel('How tokens are checked').selectOption('By asking the server (introspection)')
    await page.getByLabel('Client id').fill('trustwright')
    await page.getByLabel('Client secret').fill(clientSecret)
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('By asking the server').waitFor()
    const { introspection } = await serverOf()
    expect(introspection).toMatchObject({ clientId: 'trustwright', clientSecret: '********rvers' })
    await chooseInMenu(row, 'Edit')
    expect(await page.getByLabel('Client secret').inputValue()).toBe('********rvers')
    await page.getByLabel('Name', { exact: true }).fill('Keycloak of the city')
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Keycloak of the city').waitFor()
    await tryIn(row, dialog, ['It works', 'Introspection'])
    const asked = server.requests.findLast(({ path }) => path === '/introspect')
    expect(asked?.authorization).toBe(`Basic ${btoa(`trustwright:${clientSecret}`)}`)

    await chooseInMenu(row, 'Show')
    await dialog.getByText('********rvers').waitFor()
    await dialog.getByRole('link', { name: 'Library card' }).waitFor()
    await checkScreen(page, 'access-authorization-server')
    expect(await page.content()).not.toContain(clientSecret)
    await page.keyboard.press('Escape')
    await checkInBothLanguages(page, 'access-authorization-servers')
    await chooseInMenu(row, 'Delete')
    await dialog.getByLabel('to confirm').fill('Keycloak of the city')
    await page.keyboard.press('Enter')
    await row.waitFor({ state: 'detached' })
    expect(await serverOf()).toBeUndefined()
    expect(faults).toEqual([])
  })

  test('a server that cannot be reached is saved with a warning, and a viewer sees it without buttons', async () => {
    const { open, faults } = opened
    const page = await open('/access?tab=authorization-servers')
    await page.getByRole('button', { name: 'Add a server' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('City')
    await page.getByLabel('Issuer', { exact: true }).fill('https://login.example.com/realms/city')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Tokens of the server cannot be checked yet', { exact: false }).waitFor()
    await page.getByRole('cell', { name: 'City', exact: true }).waitFor()
    const viewer = await open('/access?tab=authorization-servers', { roles: ['viewer'] })
    await viewer.getByRole('row', { name: 'City' }).getByRole('button', { name: 'Show' }).click()
    await viewer.getByRole('dialog').getByText('at+jwt').waitFor()
    await viewer.keyboard.press('Escape')
    for (const name of ['Add a server', 'Try it', 'Edit', 'Delete', 'Actions'])
      expect(await viewer.getByRole('button', { name }).count(), name).toBe(0)
    expect(faults).toEqual([])
  })
})
