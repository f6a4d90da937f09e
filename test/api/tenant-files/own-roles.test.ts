import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const desk = { name: 'front-desk', description: 'The front desk', permissions: ['users:find'] }
const office = { name: 'office', permissions: ['offers:*'] }

async function newTenant() {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const filesOf = (roles: object[]) => ({ format: 1, objects: { tenant: { roles } } })
  const plan = async (roles: object[]) => (await operator.post('/v1/configuration/plan', filesOf(roles))).body
  /** Plans and applies. Returns the answer to the apply. */
  const apply = async (roles: object[]) => {
    const { digest, basedOn } = await plan(roles)
    return operator.post('/v1/configuration/apply', { ...filesOf(roles), digest, basedOn })
  }
  const rolesOf = async () => (await operator.get('/v1/settings')).body.roles
  return { tenant, operator, plan, apply, rolesOf }
}

test('a plan shows a change of own roles, and its apply gives clients the new permissions at once', async () => {
  const { tenant, operator, plan, apply, rolesOf } = await newTenant()
  expect((await plan([desk])).changes).toMatchObject([
    { path: 'tenant', op: 'update', fields: [{ path: 'roles', from: [], to: [desk] }] },
  ])
  expect(await rolesOf()).toEqual([])
  expect((await apply([desk])).status).toBe(200)
  expect(await rolesOf()).toEqual([desk])
  const path = `/v1/tenants/${tenant.id}/clients`
  const { clientId } = (await operator.post(path, { name: 'Front desk', roles: ['front-desk'] })).body

  const wider = { ...desk, permissions: ['users:find', 'offers:find'] }
  expect((await plan([wider, office])).changes).toMatchObject([
    { isDestructive: false, fields: [{ path: 'roles', from: [desk], to: [wider, office] }] },
  ])
  expect((await apply([wider, office])).status).toBe(200)
  expect(await rolesOf()).toEqual([wider, office])
  expect((await operator.get(`${path}/${clientId}`)).body.permissions).toEqual(['offers:find', 'users:find'])
  expect((await plan([wider, office])).changes).toEqual([])
})

test('an apply cannot remove a role that a client has, and changes nothing', async () => {
  const { tenant, operator, apply, rolesOf } = await newTenant()
  expect((await apply([desk, office])).status).toBe(200)
  const path = `/v1/tenants/${tenant.id}/clients`
  const { clientId } = (await operator.post(path, { name: 'Front desk', roles: ['front-desk'] })).body
  const message = `The role front-desk is in use. The client Front desk (${clientId}) has it. Change its roles first.`
  expect(await apply([office])).toMatchObject({
    status: 409,
    body: { message: `tenant: ${message}`, details: [{ param: 'objects.tenant', msg: message }] },
  })
  expect(await rolesOf()).toEqual([desk, office])
  expect((await operator.delete(`${path}/${clientId}`)).status).toBe(204)
  expect((await apply([office])).status).toBe(200)
  expect(await rolesOf()).toEqual([office])
})

test('a file with an unknown permission is refused by the name of its field', async () => {
  const { plan, rolesOf } = await newTenant()
  expect(await plan([desk, { ...office, permissions: ['offers:find', 'offers:delete'] }])).toMatchObject({
    details: [
      { param: 'objects.tenant.roles.1.permissions.1', msg: expect.stringContaining('offers:find, offers:read') },
    ],
  })
  expect(await rolesOf()).toEqual([])
})
