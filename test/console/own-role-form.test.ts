import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

describe('own roles', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('an admin defines a role, and the forms of clients and of the sign-in provider offer it', async () => {
    const { open, service, faults } = opened
    const page = await open('/access?tab=roles')
    await page.getByRole('button', { name: 'New role' }).first().click()
    await page.getByLabel('Name', { exact: false }).first().fill('front-desk')
    await page.getByLabel('users:find').check()
    await checkInBothLanguages(page, 'own-role-form')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('cell', { name: 'front-desk' }).waitFor()
    expect((await service.operator.get('/v1/settings')).body.roles).toEqual([
      { name: 'front-desk', permissions: ['users:find'] },
    ])
    await page.goto(`${service.origin}/console/access?item=new`)
    await page.getByLabel('front-desk').waitFor()
    await page.goto(`${service.origin}/console/access?tab=operators`)
    await page.getByRole('button', { name: 'Set up' }).first().click()
    await page.getByRole('row', { name: 'front-desk' }).waitFor()
    expect(faults).toEqual([])
  })
})
