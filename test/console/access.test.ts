import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newOpensslAuthority } from '../certificates/openssl-authority.ts'
import { ada, runProvider } from '../servers/provider.ts'
import { startReceiver } from '../servers/receiver.ts'
import { attestClient, newAttester } from '../wallets/attestation.ts'
import { newDpopKey } from '../wallets/dpop.ts'
import { type Console, checkInBothLanguages, checkScreen, chooseInMenu, startConsole } from './console.ts'

const canary = '<img src=x onerror="document.title=1">"><script>document.title=2</script>'

describe('access of clients, wallets and providers', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('a keyboard user creates a client, sees its secret once, replaces the secret, changes the roles and deletes the client', async () => {
    const { service, open, faults } = opened
    const clients = `/v1/tenants/${service.id}/clients`
    const findClient = async () =>
      (await service.operator.get(clients)).body.data.find(({ name }: { name: string }) => name === canary)
    const page = await open('/access')
    await page.getByRole('button', { name: 'New client' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').focus()
    await page.keyboard.type(canary)
    for (let tab = 0; tab < 9; tab++) await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    const secretText = page.locator('.secret code')
    await secretText.waitFor()
    const secret = await secretText.innerText()
    expect(secret).toMatch(/^[\w-]{43}$/)
    await page.keyboard.press('Escape')
    expect(await findClient()).toMatchObject({ roles: ['auditor'] })

    const row = page.getByRole('row', { name: canary })
    await chooseInMenu(row, 'New secret')
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await secretText.waitFor()
    expect(await secretText.innerText()).not.toBe(secret)
    await page.keyboard.press('Escape')
    await chooseInMenu(row, 'Edit')
    await page.getByLabel('Verifier (verifier)').check()
    await checkScreen(page, 'access-clients')
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Verifier (verifier)').waitFor()
    expect(await findClient()).toMatchObject({ roles: ['verifier', 'auditor'] })
    await chooseInMenu(row, 'Delete')
    await page.getByLabel('to confirm').fill(canary)
    await page.keyboard.press('Enter')
    await row.waitFor({ state: 'detached' })
    expect(await findClient()).toBeUndefined()
    expect(faults).toEqual([])
  })

  test('an issuer configures and tests a claim source and the hook, and the console hides the response until it is requested', async () => {
    const { service, open, faults } = opened
    await using receiver = await startReceiver(({ path }) =>
      path.includes('session_token') ? { status: 401 } : { body: JSON.stringify({ grade: canary }) },
    )
    const page = await open('/access?tab=claim-sources', { roles: ['issuer'] })
    await page.getByRole('button', { name: 'New claim source' }).first().click()
    await page.getByLabel('How the source authenticates').selectOption({ label: 'An access token (OAuth 2.0)' })
    await page.getByLabel('Token endpoint').waitFor()
    await page.getByLabel('How the source authenticates').selectOption({ label: 'A key in the header x-api-key' })
    await page.getByLabel('Name').fill('Register')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByLabel('Key', { exact: true }).fill('key-of-the-register')
    await page.getByRole('button', { name: 'Create' }).click()
    await chooseInMenu(page.getByRole('row', { name: 'Register' }), 'Try it')
    await page.getByRole('dialog').getByRole('button', { name: 'Try it' }).click()
    await page.getByText('It works').waitFor()
    expect(await page.getByText('grade').isVisible()).toBe(false)
    await page.getByText('Response of the source: Show').click()
    await page.getByText('grade').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Interaction hook' }).click()
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const { secret } = (await service.operator.get('/v1/openid/configuration')).body.interactionHook
    expect(await page.getByText(secret).count()).toBe(0)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText(secret).waitFor()
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('refused a session token without a person with status 401').waitFor()
    await checkScreen(page, 'access-hook')
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await page.getByText(secret).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  test('an admin registers a wallet and a wallet provider with certificates from a file, in German', async () => {
    const { service, open, faults } = opened
    const { pem } = await newOpensslAuthority({ subject: '/C=NZ/CN=Wallet root' })
    const page = await open('/access?tab=wallets', { locale: 'de-DE' })
    await page.getByRole('button', { name: 'Wallet registrieren' }).first().click()
    await page.getByLabel('Name').fill('Campus')
    await page.getByLabel('Redirect-URIs').fill('https://wallet.example/callback')
    await page.getByLabel('Ihre Instanzen müssen').check()
    await page.getByRole('button', { name: 'Anlegen' }).click()
    await page.getByText('Add a root certificate').waitFor()
    const file = { name: 'root.pem', mimeType: 'text/plain', buffer: Buffer.from(`${pem}\n${pem}`) }
    await page.getByLabel('aus einer Datei').setInputFiles(file)
    await page.getByRole('button', { name: 'Anlegen' }).click()
    await page.getByRole('cell', { name: 'Campus' }).waitFor()
    const [wallet] = (await service.operator.get('/v1/openid/clients')).body.data
    expect(wallet.attestation).toMatchObject({ required: true, rootCertificates: [pem.trim(), pem.trim()] })

    await page.getByRole('link', { name: 'Wallet-Anbieter' }).click()
    await page.getByRole('button', { name: 'Anbieter hinzufügen' }).first().click()
    await page.getByLabel('Zertifikat (PEM)', { exact: true }).fill(pem)
    await page.getByRole('button', { name: 'Anlegen' }).click()
    await page.getByRole('cell', { name: /^Wallet root .* NZ$/ }).waitFor()
    await checkScreen(page, 'access-wallet-providers')
    const attester = await newAttester()
    await service.operator.post('/v1/openid/wallet-providers', { certificatePem: attester.rootPem })
    const { publicJwk } = await newDpopKey()
    await page.getByRole('button', { name: 'Ausprobieren' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel('Attestierung einer Wallet')
      .fill(await attestClient(attester, { clientId: 'campus', publicJwk }))
    await dialog.getByLabel('Client-ID').fill('another')
    await page.keyboard.press('Enter')
    await dialog.getByText('Its sub is another client').waitFor()
    await dialog.getByText('Es funktioniert nicht').waitFor()
    await dialog.getByLabel('Client-ID').fill('')
    await page.keyboard.press('Enter')
    await dialog.getByText('Es funktioniert', { exact: true }).waitFor()
    await dialog.getByText('Nachweis des Schlüssels').waitFor()
    await checkScreen(page, 'access-attestation')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Management-Token' }).click()
    await page.getByText(`${service.origin}/oauth/token`).first().waitFor()
    expect(faults).toEqual([])
  })

  test('an admin configures and tests the providers of holders and of operators, and groups give roles', async () => {
    const { service, open, faults } = opened
    await using provider = await runProvider({
      redirectUris: [`${service.origin}/console/session/callback`],
      users: [ada],
    })
    const page = await open('/access?tab=holders')
    await page.getByText('/v1/oauth/authentication/callback').waitFor()
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Issuer', { exact: true }).fill(provider.url)
    await page.getByLabel('Client id').fill(provider.clientId)
    await page.getByLabel('Client secret').fill(provider.clientSecret)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('The provider publishes its configuration').waitFor()

    await page.getByRole('link', { name: 'Sign-in of operators' }).click()
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Name on the button').fill(canary)
    await page.getByLabel('Issuer', { exact: true }).fill(provider.url)
    await page.getByLabel('Client id').fill(provider.clientId)
    await page.getByLabel('Client secret').fill(provider.clientSecret)
    await page.getByLabel('Issuer (issuer)').fill('registry\nstaff')
    await page.getByLabel('Auditor').fill('staff')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('The provider publishes its configuration').waitFor()
    expect(await service.operator.get('/v1/sign-in-provider')).toMatchObject({ status: 404 })
    const form = page.getByRole('table', { name: 'Roles' })
    expect(await form.getByRole('row').count()).toBe(12)
    await checkInBothLanguages(page, 'access-operators-edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('staff', { exact: true }).waitFor()
    expect((await service.operator.get('/v1/sign-in-provider')).body).toMatchObject({
      name: canary,
      roles: [
        { value: 'registry', roles: ['issuer'] },
        { value: 'staff', roles: ['issuer', 'auditor'] },
      ],
    })
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('The provider publishes its configuration').waitFor()
    await page.getByRole('row', { name: 'staff Issuer (issuer), Auditor (auditor)' }).waitFor()
    const groups = page.getByRole('navigation', { name: 'Sections of this page' }).getByRole('group')
    const links = await groups.evaluateAll((all) => all.map((each) => each.querySelectorAll('a').length))
    expect(links).toEqual([4, 8, 2])
    await checkInBothLanguages(page, 'access-operators')
    const verifier = await open('/access', { roles: ['verifier'] })
    await verifier.getByText('Your roles do not allow this').waitFor()
    expect(faults).toEqual([])
  })

  test('an issuer sees which requirements of HAIP 1.0 are met and what to change, in German', async () => {
    const { service, open, faults } = opened
    const page = await open('/access?tab=haip', { locale: 'de-DE', roles: ['issuer'] })
    await page.getByText('Einige Anforderungen sind nicht erfüllt').waitFor()
    const requirement = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    expect(await requirement('PKCE nur mit S256').innerText()).toMatch(/^erfüllt.*section 4\nGeprüft: .*S256$/s)
    expect(await requirement('DPoP ist Pflicht').innerText()).toMatch(/^nicht erfüllt.*Geprüft.*Set the profile/s)
    expect(await requirement('FAPI 2.0').innerText()).toMatch(/^von außen zu prüfen.*conformance suite/s)
    expect(await requirement('Statuslisten mit ihrem Zertifikat').innerText()).toMatch(/^nicht anwendbar/)
    await checkScreen(page, 'access-haip')

    await service.platform.put(`/v1/tenants/${service.id}?partial=true`, { profile: 'haip' })
    await page.reload()
    await page.getByText('Einige Anforderungen sind nicht erfüllt').waitFor()
    expect(await requirement('DPoP ist Pflicht').innerText()).toMatch(/^erfüllt/)
    expect(faults).toEqual([])
  })

  test('an issuer sees which wallets can read the issuer, with the findings and their sources', async () => {
    const { service, open, faults } = opened
    const tenant = await service.operator.get('/v1/openid/configuration/readers')
    const page = await open('/access?tab=readers', { roles: ['issuer'] })
    await page.getByRole('cell', { name: 'EUDI Wallet for iOS' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(tenant.body.families.length + 1)
    const row = page.getByRole('row', { name: 'EUDI Wallet for Android' })
    expect(await row.innerText()).toContain('cannot read')
    await row.getByText(/\d+ finding/).click()
    await row.getByText('Create a configuration of the profile mobile or sd-jwt.').waitFor()
    expect(await row.innerText()).toContain('eudi-lib-jvm-openid4vci-kt')
    await checkScreen(page, 'access-readers')
    expect(faults).toEqual([])
  })

  test('the platform makes a tenant read-only, and each screen of the tenant says so', async () => {
    const { service, open, faults } = opened
    const page = await open(`/tenants/${service.id}`, { host: 'platform' })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Make read-only' }).click()
    await dialog.getByRole('button', { name: 'Make read-only' }).click()
    await page.getByText('refused: the tenant moves to another installation').waitFor()
    await checkScreen(page, 'tenant-read-only')

    const own = await open('/users')
    await own.getByText('This tenant moves to another installation. Until then it can only be read.').waitFor()
    await own.getByRole('button', { name: 'New user' }).click()
    await own.getByRole('dialog').getByLabel('Label').press('Enter')
    await own.getByRole('dialog').getByText('can only be read until then', { exact: false }).waitFor()
    await checkScreen(own, 'read-only')

    await page.getByRole('button', { name: 'Allow changes' }).click()
    await dialog.getByRole('button', { name: 'Allow changes' }).click()
    await page.getByRole('button', { name: 'Make read-only' }).waitFor()
    expect(await service.operator.post('/v1/users', {})).toMatchObject({ status: 201 })
    expect(faults).toEqual([])
  })
})
