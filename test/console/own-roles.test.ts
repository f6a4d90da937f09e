import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantablePermissions } from '../../shared/access/own-roles.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'
import { openAs } from './own-role-screens.ts'
import { byPermission } from './own-role-table.ts'

describe('own roles', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  /** Creates objects of all kinds. Returns the paths of their screens by the resource of the permissions. */
  async function createObjects(): Promise<Record<string, string>> {
    const { operator } = opened.service
    const create = async (path: string, body: object): Promise<string> => {
      const { status, body: made } = await operator.post(path, body)
      expect([path, status]).toEqual([path, 201])
      return made.id
    }
    const configuration = await compactConfiguration(opened.service)
    const user = await create('/v1/users', { label: 'KD-1', claims: { given_name: 'Zuzana' } })
    const offer = (await newOffer(opened.service, [configuration], { userId: user })).id
    const fields = bulkFields(configuration, { mode: 'links' })
    const bulk = await uploadTo(operator, '/v1/bulk-issuances', ['file', csvFile('given_name\nZuzana\n')], ...fields)
    const url = 'https://receiver.example/hook'
    return {
      users: `/users/${user}`,
      offers: `/offers/${offer}`,
      'bulk-issuances': `/bulk/${bulk.body.id}`,
      configurations: `/configurations/compact/${configuration}`,
      certificates: `/certificates/iaca/${await create('/v2/credentials/mobile/iacas', { commonName: 'Root', country: 'NZ' })}`,
      webhooks: `/webhooks/${await create('/v1/webhooks', { url, events: ['OpenIdCredentialIssued'] })}`,
      ecosystems: `/ecosystems/${await create('/v1/ecosystems', { name: 'Health' })}`,
    }
  }

  test('the console shows each permission the screens and actions that the service accepts, and no others', async () => {
    const { service, faults } = opened
    const paths = await createObjects()
    const roles = [0, 1, 2].map((at) => ({ name: `role-${at}`, permissions: ['users:find'] }))
    let saved = Promise.resolve<unknown>(undefined)
    /** Saves the roles one change after the other, because each change replaces all of them. */
    const save = () => {
      saved = saved.then(() => service.operator.put('/v1/settings?partial=true', { roles }))
      return saved
    }
    expect(await save()).toMatchObject({ status: 200 })
    const rest = [...new Set([...grantablePermissions, ...Object.keys(byPermission)])]
    const screensByPermission: Record<string, string[]> = {}
    const refused: Record<string, string[]> = {}
    await Promise.all(
      roles.map(async (role) => {
        const visitor = await openAs(opened, role.name)
        for (let key = rest.shift(); key !== undefined; key = rest.shift()) {
          role.permissions = key.split(' ')
          await save()
          await visitor.goto('/')
          const screens = await visitor.walkMenu()
          const path = paths[key.split(':')[0] ?? '']
          if (path !== undefined) {
            await visitor.goto(path)
            const isRefused = (await visitor.page.locator('.forbidden').count()) > 0
            if (!isRefused) screens.push(...(await visitor.walkTabs(path.replace(/[^/]*$/, ':id'))))
          }
          const seen = screens.filter((each) => each !== 'Overview')
          if (seen.length > 0) screensByPermission[key] = seen
          const refusals = visitor.refusals()
          if (refusals.length > 0) refused[key] = refusals
        }
      }),
    )
    expect(refused).toEqual({})
    expect(screensByPermission).toEqual(byPermission)
    expect(faults).toEqual([])
  })

  test('a screen that the role does not allow names the role and the permission, and sends no request', async () => {
    const { service, open, faults } = opened
    const role = { name: 'front-desk', permissions: ['users:find', 'offers:write'] }
    const { body: settings } = await service.operator.get('/v1/settings')
    const save = () => service.operator.put('/v1/settings?partial=true', { roles: [...settings.roles, role] })
    expect(await save()).toMatchObject({ status: 200 })
    const page = await open('/users', { roles: ['front-desk'] })
    const groups = page.getByRole('navigation', { name: 'Menu' }).locator('.group')
    expect(await groups.allInnerTexts()).toEqual(['Issuing'])
    await page.goto(`${service.origin}/console/offers/new`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toBe(
      'Your roles do not allow this page: front-desk lacks the permission offers:find, configurations:read. Ask an administrator of this tenant.',
    )
    await checkInBothLanguages(page, 'own-role-refused')
    role.permissions.push('offers:find', 'configurations:read')
    await save()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'New offer' }).waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })
})
