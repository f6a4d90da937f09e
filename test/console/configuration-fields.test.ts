import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, mdlConfiguration } from '../harness/factories.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

describe('the fields of a configuration', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole({ roles: ['signing'] })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('the validity is an amount with a unit, and shows the date that results', async () => {
    const { service, open, faults } = opened
    const id = await compactConfiguration(service, { expiresIn: { years: 1, months: 6 } })
    const path = `/v2/credentials/compact/configurations/${id}`
    const page = await open(`/configurations/compact/${id}`)
    const amount = page.getByLabel('Expires after', { exact: false })
    const unit = page.getByLabel('Unit', { exact: true })
    const json = page.getByRole('textbox', { name: 'JSON', exact: true })
    const saved = async () => (await service.operator.get(path)).body.expiresIn
    const typed = async () => JSON.parse(await json.inputValue()).expiresIn
    // A duration of several units has a row for each of them.
    await amount.first().waitFor()
    expect(await amount.evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value))).toEqual([
      '1',
      '6',
    ])
    await amount.nth(1).fill('')
    await amount.first().fill('2')
    expect(await typed()).toEqual({ years: 2 })
    const end = page.locator('output')
    await end.getByText('expires on').waitFor()
    const inTwoYears = new Date()
    inTwoYears.setUTCFullYear(inTwoYears.getUTCFullYear() + 2)
    expect(await end.locator('time').getAttribute('datetime')).toContain(inTwoYears.toISOString().slice(0, 10))
    // Another unit keeps the amount, by keyboard too.
    await unit.focus()
    await page.keyboard.press('m')
    await page.keyboard.press('Tab')
    expect(await typed()).toEqual({ months: 2 })
    // An empty amount keeps its unit and means that there is no expiry.
    await amount.first().fill('')
    expect(await typed()).toBeUndefined()
    expect(await unit.inputValue()).toBe('months')
    await end.getByText('no expiry').waitFor()
    await amount.first().fill('3')
    await page.getByRole('button', { name: 'Add a unit' }).press('Enter')
    await page.getByLabel('Expires after 2').fill('1')
    expect(await typed()).toEqual({ months: 3, weeks: 1 })
    await amount.first().fill('99999999999999')
    await end.getByText('too long').waitFor()
    await amount.first().fill('3')
    await checkInBothLanguages(page, 'configuration-validity')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('✓ Saved').waitFor()
    expect(await saved()).toEqual({ months: 3, weeks: 1 })
    expect(faults).toEqual([])
  })

  test('claims are ordered by keys, buttons and drag, and a namespace is typed once for its group', async () => {
    const { service, open, faults } = opened
    const id = await mdlConfiguration(service, {
      type: 'org.example.card.1',
      claimMappings: { 'org.a': { one: from('one'), two: from('two'), three: from('three') } },
    })
    const page = await open(`/configurations/mobile/${id}`)
    const json = page.getByRole('textbox', { name: 'JSON', exact: true })
    const order = async () =>
      Object.entries<object>(JSON.parse(await json.inputValue()).claimMappings).map(([namespace, claims]) => [
        namespace,
        ...Object.keys(claims),
      ])
    await page.getByLabel('Type: two').selectOption('full-date')
    expect(JSON.parse(await json.inputValue()).claimMappings['org.a'].two.type).toBe('full-date')
    const second = page.getByLabel('Claim: two', { exact: true })
    await second.press('Alt+ArrowUp')
    await expect.poll(order).toEqual([['org.a', 'two', 'one', 'three']])
    // The focus moves with the claim, which is first now.
    expect(await second.evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.keyboard.press('Alt+ArrowUp')
    expect(await order()).toEqual([['org.a', 'two', 'one', 'three']])
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(order).toEqual([['org.a', 'one', 'three', 'two']])
    await page.getByRole('button', { name: 'Move up: two' }).press('Enter')
    await expect.poll(order).toEqual([['org.a', 'one', 'two', 'three']])
    await page.getByRole('button', { name: 'Move down: one' }).click()
    await expect.poll(order).toEqual([['org.a', 'two', 'one', 'three']])
    const row = (name: string) => page.locator('.claims tr').filter({ has: page.getByLabel(`Claim: ${name}`) })
    // Both rows are visible, so that the page does not scroll during the drag.
    await page.setViewportSize({ width: 1280, height: 1800 })
    await row('three').locator('.handle').dragTo(row('two'))
    await expect.poll(order).toEqual([['org.a', 'three', 'two', 'one']])
    await page.getByRole('button', { name: 'Add a namespace' }).click()
    await page.getByLabel('Claim: 4').fill('four')
    const namespaces = page.getByLabel('Namespace', { exact: true })
    expect(await namespaces.count()).toBe(2)
    // While it is typed, it begins like the other one. The groups stay apart.
    await namespaces.nth(1).pressSequentially('org.ab')
    await page.keyboard.press('Tab')
    await expect.poll(order).toEqual([
      ['org.a', 'three', 'two', 'one'],
      ['org.ab', 'four'],
    ])
    await row('one').locator('.handle').dragTo(row('four'))
    await expect.poll(order).toEqual([
      ['org.a', 'three', 'two'],
      ['org.ab', 'four', 'one'],
    ])
    await namespaces.first().fill('org.c')
    await page.keyboard.press('Tab')
    await checkInBothLanguages(page, 'configuration-claims')
    // The preview does not cover the claims when they are scrolled into view.
    await page.getByLabel('Claim: one').scrollIntoViewIfNeeded()
    const [preview, table] = await Promise.all(
      ['.wallet-cards', '.claims'].map((each) => page.locator(each).boundingBox()),
    )
    expect((preview?.y ?? 0) + (preview?.height ?? 0)).toBeLessThan(table?.y ?? 0)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('✓ Saved').waitFor()
    const { body } = await service.operator.get(`/v2/credentials/mobile/configurations/${id}`)
    expect(Object.entries<object>(body.claimMappings).map(([each, claims]) => [each, ...Object.keys(claims)])).toEqual([
      ['org.c', 'three', 'two'],
      ['org.ab', 'four', 'one'],
    ])
    expect(faults).toEqual([])
  })

  test('the claims of a tree are ordered by keys, buttons and drag within their object', async () => {
    const { open, faults } = opened
    const page = await open('/configurations/new?profile=sd-jwt&from=empty')
    const json = page.getByRole('textbox', { name: 'JSON', exact: true })
    const claimMappings = {
      one: source('one'),
      address: { members: { street: source('street'), city: source('city'), country: source('country') } },
      list: { each: { members: { type: source('type'), year: source('year') } } },
    }
    await json.fill(JSON.stringify({ name: 'Card', claimMappings: claimMappings }))
    // Each name of the tree, in the order of the JSON.
    const order = async () =>
      [...(await json.inputValue()).matchAll(/"(one|address|street|city|country|list|type|year)": ?\{/g)].map(
        ([, name]) => name,
      )
    const inside = ['street', 'city', 'country']
    await expect.poll(order).toEqual(['one', 'address', ...inside, 'list', 'type', 'year'])
    await page.getByLabel('From: one').press('Alt+ArrowDown')
    await expect.poll(order).toEqual(['address', ...inside, 'one', 'list', 'type', 'year'])
    expect(await page.getByLabel('From: one').evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(order).toEqual(['address', ...inside, 'list', 'type', 'year', 'one'])
    await page.getByRole('button', { name: 'Move up: address › country' }).press('Enter')
    await expect.poll(order).toEqual(['address', 'street', 'country', 'city', 'list', 'type', 'year', 'one'])
    await page.getByRole('button', { name: 'Move down: list › [] › type' }).click()
    await expect.poll(order).toEqual(['address', 'street', 'country', 'city', 'list', 'year', 'type', 'one'])
    const row = (name: string) =>
      page.locator('.claims tr').filter({ has: page.getByRole('button', { name: `Remove: ${name}`, exact: true }) })
    for (const width of [1201, 1280, 2400]) {
      await page.setViewportSize({ width, height: 2400 })
      for (const name of ['Type', 'From', 'Default'])
        expect((await page.getByLabel(`${name}: one`).boundingBox())?.width, `${name} at ${width}`).toBeGreaterThan(95)
    }
    await page.setViewportSize({ width: 1280, height: 2400 })
    await row('address › city').locator('.handle').dragTo(row('address › street'))
    await expect.poll(order).toEqual(['address', 'city', 'street', 'country', 'list', 'year', 'type', 'one'])
    // A claim stays in its object.
    await row('one').locator('.handle').dragTo(row('address › street'))
    await expect.poll(order).toEqual(['one', 'address', 'city', 'street', 'country', 'list', 'year', 'type'])
    await row('address › city').locator('.handle').dragTo(row('list'))
    await row('list › [] › type').locator('.handle').dragTo(row('list › [] › year'))
    await expect.poll(order).toEqual(['one', 'address', 'city', 'street', 'country', 'list', 'type', 'year'])
    await checkInBothLanguages(page, 'configuration-tree-order')
    expect(faults).toEqual([])
  })
})

const from = (name: string) => ({ mapFrom: `claims.${name}`, type: 'tstr' })

const source = (name: string) => ({ mapFrom: `claims.${name}` })
