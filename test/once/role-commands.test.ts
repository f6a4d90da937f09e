import { afterAll, expect, test, vi } from 'vitest'
import { joinService } from '../harness/harness.ts'
import { newTerminal } from '../harness/terminal.ts'

const service = await joinService()
const { baseUrl, clientId, clientSecret, operator } = service
const line = newTerminal({ default: { baseUrl, clientId, clientSecret } })
afterAll(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})
const roles = (...args: string[]) => line.run(['roles', ...args])
const storedRoles = async () => (await operator.get('/v1/settings')).body.roles

test('own roles are created, listed, changed and deleted, and other settings stay', async () => {
  const { name } = (await operator.get('/v1/settings')).body
  const set = ['set', 'front-desk', '--permissions', 'users:find, offers:*', '--description', 'The front desk']
  expect(await roles(...set)).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'Created the role front-desk\nName:        front-desk\nDescription: The front desk\nPermissions: users:find, offers:*\n',
  })
  expect((await roles('set', 'office', '--permissions', 'offers:find', '--json')).stdout).toBe(
    '{"name":"office","permissions":["offers:find"]}\n',
  )
  const desk = { name: 'front-desk', description: 'The front desk', permissions: ['users:find', 'offers:*'] }
  expect(await storedRoles()).toEqual([desk, { name: 'office', permissions: ['offers:find'] }])
  const { stdout: list } = await roles('list')
  expect(list).toMatch(/^front-desk {6}own {13}users:find,offers:\*$/m)
  expect(list).toMatch(/^auditor {9}of the service {2}ecosystem-overview:read,events:read,overview:read$/m)
  expect((await roles('show', 'auditor', '--json')).stdout).toContain('"isBuiltIn":true')

  expect((await roles('set', 'front-desk', '--permissions', 'users:find')).stdout).toMatch(/^Changed the role /)
  expect((await storedRoles())[0]).toEqual({ ...desk, permissions: ['users:find'] })
  expect(await roles('set', 'front-desk', '--description', '')).toMatchObject({ code: 0 })
  expect((await roles('show', 'front-desk')).stdout).toBe('Name:        front-desk\nPermissions: users:find\n')
  expect((await roles('delete', 'front-desk')).stdout).toBe('Deleted the role front-desk\n')
  expect((await roles('delete', 'office')).code).toBe(0)
  expect((await operator.get('/v1/settings')).body).toMatchObject({ name, roles: [] })
})

test('wrong roles and permissions are refused with those that are probably meant', async () => {
  expect((await roles('set', 'front-desk', '--permissions', 'users:find')).code).toBe(0)
  const refusals = [
    [['show'], 'Give the name of a role. trustwright roles list shows the names\n'],
    [['show', 'isuer'], 'There is no role "isuer". Did you mean "issuer"? "trustwright roles list" shows the roles.\n'],
    [['delete', 'front-dsek'], 'There is no role "front-dsek". Did you mean "front-desk"? '],
    [['delete', 'admin'], 'There is no role "admin"'],
    [['set', 'front-desk'], 'Give --permissions, or --description for a role that exists\n'],
    [['set', 'front-dsek', '--description', 'X'], 'Did you mean "front-desk"? Give --permissions to create it.\n'],
    [['set', 'other', '--permissions', 'user:find'], 'Did you mean users:find?'],
    [['set', 'front-desk', '--permissions', ''], 'roles.0.permissions'],
    [['set', 'admin', '--permissions', 'users:find'], 'Must not be the name of a role of the service'],
  ] as const
  for (const [args, message] of refusals)
    expect(await roles(...args)).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
  const path = `/v1/tenants/${service.id}/clients`
  const { body } = await operator.post(path, { name: 'Desk', roles: ['front-desk'] })
  const inUse = `The role front-desk is in use. The client Desk (${body.clientId}) has it.`
  expect(await roles('delete', 'front-desk')).toMatchObject({ code: 1, stderr: expect.stringContaining(inUse) })
  expect(await storedRoles()).toEqual([{ name: 'front-desk', permissions: ['users:find'] }])
})

test('a change of settings between the reading and the writing is not lost', async () => {
  const { fetch } = globalThis
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (request.method === 'PUT') {
      spy.mockRestore()
      const others = [...(await storedRoles()), { name: 'late', permissions: ['offers:find'] }]
      expect((await operator.put('/v1/settings?partial=true', { roles: others })).status).toBe(200)
    }
    return fetch(request)
  })
  expect(await roles('set', 'early', '--permissions', 'users:find')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The settings of the tenant were changed at the same time. Run the command again.\n',
  })
  expect((await storedRoles()).map(({ name }: { name: string }) => name)).not.toContain('early')
  expect((await roles('set', 'early', '--permissions', 'users:find')).code).toBe(0)
  expect((await storedRoles()).map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['late', 'early']),
  )
})
