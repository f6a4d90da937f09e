import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, mdlConfiguration, newOffer } from '../harness/factories.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const all = '/v2/credentials/configurations'

describe('configurations', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole({ roles: ['signing'] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('a new user creates a configuration in three clicks and makes an offer of it', async () => {
    const { service, open, faults } = opened
    const page = await open('/configurations')
    await page.getByText('No configuration yet.').waitFor()
    await page.getByRole('link', { name: 'New configuration' }).first().click()
    await page.getByRole('link', { name: 'Driving licence' }).waitFor()
    await checkScreen(page, 'configurations-begin')
    await page.getByRole('link', { name: 'Student card' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The configuration was created').waitFor()
    const { body } = await service.operator.get(all)
    const [{ id, profile }] = body.data
    expect(body.data).toMatchObject([
      { name: 'Student card', profile: 'compact-semantic', isRevocable: true, claims: 4 },
    ])
    expect(new URL(page.url()).pathname).toBe(`/console/configurations/${profile}/${id}`)
    await page.getByText('"credential_definition"').waitFor()
    const offer = page.getByRole('link', { name: 'Create an offer' }).first()
    expect(await offer.getAttribute('href')).toBe(`/console/offers/new?credentials=${id}`)

    for (const name of ['Employee badge', 'Course certificate', 'Driving licence']) {
      await page.goto(`${service.origin}/console/configurations/new`)
      await page.getByRole('link', { name }).click()
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('The configuration was created').waitFor()
      const { body } = await service.operator.get(all)
      expect(body.data.at(-1)).toMatchObject({ name, isRevocable: true })
    }
    expect(faults).toEqual([])
  })

  test('the form and its JSON stay equal by keyboard, and invalid JSON does not change the form', async () => {
    const { service, open, faults } = opened
    const page = await open('/configurations/new?profile=compact&from=empty')
    const json = page.getByRole('textbox', { name: 'JSON', exact: true })
    const typed = async () => JSON.parse(await json.inputValue())
    await page.getByLabel('Type (optional)').focus()
    await page.keyboard.type(canary)
    await page.getByRole('button', { name: 'Add a claim' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Claim: 1' }).focus()
    await page.keyboard.type('given_name')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ann')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    const given_name = { mapFrom: 'claims.given_name', defaultValue: 'Ann', required: true }
    expect(await typed()).toEqual({ type: canary, claimMappings: { given_name } })

    // Two claims with the same name both stay visible, and nothing is sent.
    await page.getByRole('button', { name: 'Add a claim' }).press('Enter')
    await page.getByRole('textbox', { name: 'Claim: 2' }).pressSequentially('given_name')
    await page.getByText('Another claim has this name').waitFor()
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByText('Nothing was changed.').waitFor()
    await page.getByRole('textbox', { name: 'Claim: given_name' }).nth(1).fill('level')
    expect((await typed()).claimMappings).toEqual({ given_name, level: { mapFrom: 'claims.level' } })

    const before = await json.inputValue()
    await json.fill('{\n  "type": "Badge",\n  oops')
    await page.getByText('See line 3, column 3').waitFor()
    expect(await page.getByLabel('Type (optional)').inputValue()).toBe(canary)
    expect(await page.getByLabel('Type (optional)').isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Restore the values of the form' }).press('Enter')
    expect(await json.inputValue()).toBe(before)

    const [backgroundColor, textColor, logoUrl] = ['#000000', '#111111', 'http://logos.example/badge.png']
    const display = [{ name: 'Badge', locale: 'en', backgroundColor, textColor, logoUrl }]
    await json.fill(JSON.stringify({ type: canary, claimMappings: { given_name }, display, expiresIn: { days: 1.5 } }))
    expect(await page.getByLabel('Unit', { exact: true }).inputValue()).toBe('days')
    expect(await page.getByLabel('Expires after').inputValue()).toBe('1.5')
    expect(await page.getByRole('textbox', { name: 'Claim: level' }).count()).toBe(0)
    await page.getByText('the text is hard to read on this colour').waitFor()
    // The page loads no picture from another host (`faults`).
    await page.getByText('No picture was found at this address.').waitFor()
    await page.getByLabel('Logo').fill('')
    expect(await page.evaluate("getComputedStyle(document.querySelector('.wallet-card')).backgroundColor")).toBe(
      'rgb(0, 0, 0)',
    )
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    // The service's error message appears at the field.
    const days = page.getByLabel('Expires after')
    await page.locator('[aria-invalid]').waitFor()
    expect(await days.getAttribute('aria-invalid')).toBe('true')
    await days.fill('3')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByText('The configuration was created').waitFor()
    const { body } = await service.operator.get(`${all}?profile=compact`)
    expect(body.data.at(-1)).toMatchObject({ type: canary, expiresIn: { days: 3 } })
    await page.getByRole('link', { name: '← Configurations' }).click()
    await page.getByRole('cell').getByText(canary).waitFor()
    await checkScreen(page, 'configurations')
    expect(faults).toEqual([])
  })

  test('after a conflict the page shows the saved version and keeps the typed one', async () => {
    const { service, open, faults } = opened
    const id = await compactConfiguration(service, { type: 'Mine' })
    const path = `/v2/credentials/compact/configurations/${id}`
    const page = await open(`/configurations/compact/${id}`)
    const type = page.getByLabel('Type (optional)')
    const { body: before } = await service.operator.get(path)
    await type.fill('Typed')
    await service.operator.put(path, { ...before, type: 'Theirs' })
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('They differ in: type').waitFor()
    expect(await type.inputValue()).toBe('Typed')
    await page.getByRole('button', { name: 'Continue with the saved version' }).click()
    expect(await type.inputValue()).toBe('Theirs')
    await type.fill('Typed again')
    await service.operator.put(path, { ...before, type: 'Theirs once more' })
    await save.click()
    await page.getByRole('button', { name: 'Keep my input' }).click()
    await save.click()
    await page.getByText('✓ Saved').waitFor()
    expect((await service.operator.get(path)).body.type).toBe('Typed again')
    // A save after the conflict uses the new version.
    await type.fill('Last')
    await save.click()
    await page.locator('pre').getByText('"Last"').waitFor()
    expect((await service.operator.get(path)).body.type).toBe('Last')
    // A link asks for confirmation before it leaves unsaved input.
    const up = page.getByRole('link', { name: '← Configurations' })
    await type.fill('Not saved')
    page.once('dialog', (dialog) => void dialog.dismiss())
    await up.click()
    expect(await type.inputValue()).toBe('Not saved')
    page.once('dialog', (dialog) => void dialog.accept())
    await up.click()
    await page.waitForURL('**/console/configurations')
    // Going back asks for confirmation too.
    await page.locator(`a[href$="${id}"]`).first().click()
    await type.fill('Not saved')
    const back = async (answer: 'dismiss' | 'accept') => {
      const dialogOpened = page.waitForEvent('dialog')
      await page.evaluate('void setTimeout(() => history.back())')
      await (await dialogOpened)[answer]()
    }
    for (let turn = 0; turn < 2; turn++) {
      await back('dismiss')
      await page.waitForURL(`**/console/configurations/compact/${id}`)
      expect(await type.inputValue()).toBe('Not saved')
    }
    await back('accept')
    await page.locator(`a[href$="${id}"]`).first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/configurations')
    expect(faults).toEqual([])
  })

  test('a configuration is deleted after its name is typed, but not while an offer uses it', async () => {
    const { service, open, faults } = opened
    const id = await mdlConfiguration(service, { branding: { name: 'Licence' }, display: undefined })
    const offer = await newOffer(service, [id])
    const page = await open(`/configurations/mobile/${id}`, { locale: 'de-DE' })
    await checkScreen(page, 'configuration-mobile-de')
    await page.getByRole('button', { name: 'Löschen' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Offene Angebote verwenden diese Konfiguration').waitFor()
    await dialog.getByRole('textbox').fill('org.iso.18013.5.1.mDL')
    await dialog.getByRole('button', { name: 'Löschen' }).click()
    await dialog.getByText('Das ist im jetzigen Zustand nicht möglich.').waitFor()
    await service.operator.delete(`/v1/openid/offers/${offer.id}`)
    await dialog.getByRole('button', { name: 'Löschen' }).click()
    await page.waitForURL('**/console/configurations')
    expect(await service.operator.get(`/v2/credentials/mobile/configurations/${id}`)).toMatchObject({ status: 404 })
    expect(faults).toEqual([])
  })

  test('the tree of claims of an SD-JWT VC is edited in the table and in the JSON', async () => {
    const { service, open, faults } = opened
    const page = await open('/configurations/new?from=member-card')
    await page.getByLabel('From: address › locality').fill('claims.city')
    await page.getByLabel('Disclosure: family_name').selectOption('never')
    const keyBinding = page.getByLabel('Bound to a key of the wallet')
    expect(await keyBinding.isChecked()).toBe(true)
    await keyBinding.uncheck()
    await page.getByLabel('Name of the new claim').fill('address.country')
    await page.getByRole('button', { name: 'Add a claim' }).click()
    await page.getByRole('button', { name: 'Remove: age_over_18' }).click()
    await page.getByLabel('Name of the new claim').fill('given_name')
    expect(await page.getByRole('button', { name: 'Add a claim' }).isDisabled()).toBe(true)
    await checkScreen(page, 'configuration-sd-jwt')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The configuration was created').waitFor()
    await page.getByText('"dc+sd-jwt"').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { body } = await service.operator.get(`/v2/credentials/sd-jwt/configurations/${id}`)
    expect(body.keyBinding).toBe(false)
    expect(body.claimMappings).toEqual({
      given_name: { mapFrom: 'claims.given_name', required: true },
      family_name: { mapFrom: 'claims.family_name', required: true, disclose: 'never' },
      address: {
        members: { locality: { mapFrom: 'claims.city' }, country: { mapFrom: 'claims.address.country' } },
      },
    })
    expect(faults).toEqual([])
  })

  test('arrays, types and display names of the tree are edited as form fields', async () => {
    const { service, open, faults } = opened
    const page = await open('/configurations/new?profile=sd-jwt&from=empty')
    const add = async (path: string) => {
      await page.getByLabel('Name of the new claim').fill(path)
      await page.getByRole('button', { name: 'Add a claim' }).click()
    }
    await page.getByLabel('Name', { exact: true }).fill('Diploma')
    for (const path of ['degrees[].type', 'degrees[].year', 'tags[]']) await add(path)
    // An array is no object, and its elements have a claim already.
    for (const taken of ['degrees.type', 'degrees[]', 'tags[]', 'a[]b', '[]']) {
      await page.getByLabel('Name of the new claim').fill(taken)
      expect(await page.getByRole('button', { name: 'Add a claim' }).isDisabled(), taken).toBe(true)
    }
    await page.getByLabel('Disclosure: degrees', { exact: true }).selectOption('never')
    await page.getByLabel('Disclosure: degrees › []', { exact: true }).selectOption('always')
    await page.getByLabel('Type: degrees › [] › year').selectOption({ label: 'Whole number' })
    expect(await page.getByLabel('Type: degrees', { exact: true }).count()).toBe(0)
    await page.getByText('Display names: degrees', { exact: true }).click()
    await page.getByRole('button', { name: 'Add a name' }).locator('visible=true').first().click()
    await page.getByRole('group', { name: 'Name 1' }).getByLabel('Name', { exact: true }).fill('Degrees')
    const svgId = page.getByLabel('Id in SVG templates').locator('visible=true')
    await page.getByText('Display names and SVG id: tags › []', { exact: true }).click()
    await svgId.fill('all tags')
    await checkScreen(page, 'configuration-sd-jwt-array')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Must be letters, digits and underscores').first().waitFor()
    await svgId.fill('tags')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The configuration was created').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { body } = await service.operator.get(`/v2/credentials/sd-jwt/configurations/${id}`)
    expect(body.claimMappings).toEqual({
      degrees: {
        each: {
          members: {
            type: { mapFrom: 'claims.degrees[].type' },
            year: { mapFrom: 'claims.degrees[].year', type: 'integer' },
          },
        },
        ...{ disclose: 'never', discloseEach: 'always', display: [{ name: 'Degrees', locale: 'en' }] },
      },
      tags: { each: { mapFrom: 'claims.tags[]', svgId: 'tags' } },
    })
    expect(faults).toEqual([])
  })

  test('a user without the role sees the reason and no button', async () => {
    const { open, faults } = opened
    const page = await open('/configurations', { roles: ['auditor'] })
    await page.getByText('Your roles do not allow this').waitFor()
    expect(await page.getByRole('link', { name: 'New configuration' }).count()).toBe(0)
    await page.goto(`${opened.service.origin}/console/configurations/new?from=student-card`)
    await page.getByText('Your roles do not allow this').waitFor()
    expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
