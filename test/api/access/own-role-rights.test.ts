import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../api/routes.ts'
import { grantablePermissions } from '../../../shared/access/own-roles.ts'
import { permissionsFor } from '../../../shared/access/permissions.ts'
import { createApi } from '../../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant, tokenOf } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Defines the roles of a tenant, and returns a client with the first of them. */
async function withRoles(tenant: TestTenant, roles: object[]) {
  expect(await tenant.operator.put('/v1/settings', { roles })).toMatchObject({ status: 200, body: { roles } })
  const [{ name }] = roles as [{ name: string }]
  const path = `/v1/tenants/${tenant.id}/clients`
  const { status, body } = await tenant.operator.post(path, { name: 'Front desk', roles: [name] })
  expect(status).toBe(201)
  const token = await tokenOf(service.origin, tenant.host, body.clientId, body.clientSecret)
  const api = createApi(service.origin, tenant.host, token)
  return { api, client: body, path: `${path}/${body.clientId}` }
}

const ofAdmins = routes.filter(
  ({ access, host }) => access.kind === 'operators' && access.roles.includes('admin') && host !== 'platform',
)

test('own roles can have the permission of each operation of an admin, except those that give rights', () => {
  const needed = new Set(ofAdmins.flatMap(permissionsFor))
  const missing = [...needed].filter((each) => !grantablePermissions.includes(each))
  expect(missing.sort()).toEqual([
    'clients:write',
    'configuration-files:read',
    'configuration-files:write',
    'settings:write',
  ])
  const useless = grantablePermissions.filter((each) => !each.endsWith(':*') && !needed.has(each as never))
  // It needs no operation of its own: it adds the claims of people to the answers for `users:find`.
  expect(useless.sort()).toEqual(['users:read'])
})

test('a client with an own role calls the operations of its permissions and no others', async () => {
  const tenant = await service.addTenant()
  const { api, client } = await withRoles(tenant, [{ name: 'front-desk', permissions: ['users:find', 'offers:*'] }])
  expect(client).toMatchObject({ roles: ['front-desk'], permissions: ['offers:*', 'users:find'] })
  const { id } = (await tenant.operator.post('/v1/users', { label: 'KD-9', claims: { given_name: 'Ada' } })).body
  expect((await api.get(`/v1/users/${id}`)).body).toEqual({ id, claims: {}, label: 'KD-9' })
  expect((await api.get('/v1/search?q=KD-9')).body.data).toMatchObject([{ kind: 'user', id }])
  const configurationId = await compactConfiguration(tenant)
  const offer = await newOffer({ ...tenant, operator: api }, [configurationId])
  expect((await api.get(`/v1/openid/offers/${offer.id}/details`)).body.uri).toBe(offer.uri)
  expect((await api.delete(`/v1/openid/offers/${offer.id}`)).status).toBe(204)
  const refused = await api.get('/v1/webhooks')
  expect(refused.headers['www-authenticate']).toContain('managed-issuer, or the permission webhooks:read. Roles')
  const ofAdmin = await api.post(`/v1/tenants/${tenant.id}/clients`, { name: 'Other', roles: ['front-desk'] })
  expect(ofAdmin.headers['www-authenticate']).toContain('roles admin, platform. Roles of the client: front-desk')
  const wrong: unknown[] = []
  for (const route of ofAdmins) {
    const permissions = permissionsFor(route)
    const isAllowed = permissions.length === 0 || permissions.some((each) => /^(users:find|offers:)/.test(each))
    if (isAllowed) continue
    const path = route.path.replaceAll(/:\w+/g, tenant.id)
    const { status, body } = await api.send(route.method, path)
    if (status !== 403 || body !== undefined) wrong.push([route.operation, status])
  }
  expect(wrong).toEqual([])
})

test('a partial PUT needs the permission to read what it keeps, so that nothing hidden is shown or lost', async () => {
  const tenant = await service.addTenant()
  const permissions = ['users:find', 'users:write', 'claim-sources:write']
  const { api } = await withRoles(tenant, [{ name: 'enrolment', permissions }])
  const { id } = (await tenant.operator.post('/v1/users', { claims: { given_name: 'Ada' } })).body
  const source = { name: 'Registry', url: 'https://source.example/claims' }
  const { body: made } = await tenant.operator.post('/v1/claim-sources', source)
  for (const path of [`/v1/users/${id}`, `/v1/claim-sources/${made.id}`])
    expect(await api.put(`${path}?partial=true`, {})).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': expect.stringMatching(/permission (users|claim-sources):read/) },
    })
  expect((await tenant.operator.get(`/v1/users/${id}`)).body.claims).toEqual({ given_name: 'Ada' })
  const whole = { claims: { given_name: 'Grace' } }
  expect(await api.put(`/v1/users/${id}`, whole)).toMatchObject({ status: 200, body: { claims: {} } })
  expect(await tenant.operator.put(`/v1/users/${id}?partial=true`, { label: 'KD-9' })).toMatchObject({
    status: 200,
    body: { ...whole, label: 'KD-9' },
  })
})

test('the export of a person needs its own permission', async () => {
  const tenant = await service.addTenant()
  const { id } = (await tenant.operator.post('/v1/users', { claims: { given_name: 'Ada' } })).body
  const { api } = await withRoles(tenant, [{ name: 'front-desk', permissions: ['users:read', 'users:write'] }])
  expect((await api.get(`/v1/users/${id}`)).status).toBe(200)
  expect(await api.get(`/v1/users/${id}/export`)).toMatchObject({
    status: 403,
    headers: { 'www-authenticate': expect.stringContaining('permission personal-data:read') },
  })
  const roles = [{ name: 'front-desk', permissions: ['personal-data:read'] }]
  await tenant.operator.put('/v1/settings?partial=true', { roles })
  expect((await api.get(`/v1/users/${id}/export`)).status).toBe(200)
  for (const role of ['issuer', 'managed-issuer'] as const)
    expect((await (await tenant.as(role)).get(`/v1/users/${id}/export`)).status).toBe(200)
})

test('a change of an own role applies to the next request with a token that is already out', async () => {
  const tenant = await service.addTenant()
  const { api, path } = await withRoles(tenant, [{ name: 'front-desk', permissions: ['users:read'] }])
  expect((await api.get('/v1/users')).status).toBe(200)
  const roles = [{ name: 'front-desk', permissions: ['offers:find'] }]
  await tenant.operator.put('/v1/settings', { roles })
  expect((await api.get('/v1/users')).status).toBe(403)
  expect((await api.get('/v1/openid/offers')).status).toBe(200)
  expect((await tenant.operator.get(path)).body.permissions).toEqual(['offers:find'])
})

test('a role in use cannot be removed, and the answer names who has it', async () => {
  const tenant = await service.addTenant()
  const { path } = await withRoles(tenant, [{ name: 'front-desk', permissions: ['users:find'] }])
  expect(await tenant.operator.put('/v1/settings', { roles: [] })).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^The role front-desk is in use\. The client Front desk /) },
  })
  expect((await tenant.operator.put('/v1/settings', { name: 'Other' })).body.roles).toHaveLength(1)
  expect((await tenant.operator.put(path, { name: 'Front desk', roles: ['auditor'] })).status).toBe(200)
  expect(await tenant.operator.put('/v1/settings', { roles: [] })).toMatchObject({ status: 200, body: { roles: [] } })
})

test('a role of another tenant, an unknown role and an unknown permission are refused by name', async () => {
  const tenant = await service.addTenant()
  await withRoles(tenant, [{ name: 'front-desk', permissions: ['users:find'] }])
  const other = await service.addTenant()
  expect(
    await other.operator.post(`/v1/tenants/${other.id}/clients`, { name: 'X', roles: ['front-desk'] }),
  ).toMatchObject({
    status: 400,
    body: { details: [{ param: 'roles.0', value: 'front-desk', msg: expect.stringContaining('helpdesk') }] },
  })
  const refusals = {
    'users:delete': 'users:find, users:read, users:write',
    'clients:write': 'clients:read',
    'persons:read': 'users, offers',
    'user:find': 'Did you mean users:find?',
    'offers:raed': 'offers:write, offers:*. Did you mean offers:read?',
    '*:*': 'users, offers',
  }
  for (const [permission, text] of Object.entries(refusals)) {
    const roles = [{ name: 'front-desk', permissions: ['users:find', permission] }]
    expect(await other.operator.put('/v1/settings', { roles })).toMatchObject({
      status: 400,
      body: { details: [{ param: 'roles.0.permissions.1', msg: expect.stringContaining(text) }] },
    })
  }
  for (const name of ['admin', 'platform', 'Front Desk'])
    expect(await other.operator.put('/v1/settings', { roles: [{ name, permissions: ['users:find'] }] })).toMatchObject({
      status: 400,
      body: { details: [{ param: 'roles.0.name' }] },
    })
})

test('the sign-in provider gives own roles of the tenant, and only those', async () => {
  const tenant = await service.addTenant()
  await withRoles(tenant, [{ name: 'front-desk', permissions: ['users:find'] }])
  const provider = {
    ...{ name: 'Login', issuer: 'https://login.example.org', clientId: 'trustwright', clientSecret: 'of the test' },
    ...{ claim: 'groups', scope: ['openid'] },
  }
  const of = (role: string) => ({ ...provider, roles: [{ value: 'desk', roles: [role] }] })
  expect(await tenant.operator.put('/v1/sign-in-provider', of('unknown'))).toMatchObject({
    status: 400,
    body: { details: [{ param: 'roles.0.roles.0', value: 'unknown' }] },
  })
  expect((await tenant.operator.put('/v1/sign-in-provider', of('front-desk'))).status).toBe(200)
  const clients = (await tenant.operator.get(`/v1/tenants/${tenant.id}/clients`)).body.data
  const client = clients.find(({ roles }: { roles: string[] }) => roles.includes('front-desk'))
  await tenant.operator.delete(`/v1/tenants/${tenant.id}/clients/${client.clientId}`)
  expect(await tenant.operator.put('/v1/settings', { roles: [] })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('desk of the sign-in provider') },
  })
})

test('the session names the operations that the caller can call, for clients with each role', async () => {
  const tenant = await service.addTenant()
  const { api } = await withRoles(tenant, [{ name: 'front-desk', permissions: ['users:find', 'links:write'] }])
  const operationsOf = async ({ get }: Pick<typeof api, 'get'>) => (await get('/console/session')).body.operations
  const own = ['searchUsers', 'retrieveUser', 'renewBulkLink', 'search', 'retrieveConsoleSessions']
  const operations = await operationsOf(api)
  expect(operations).toEqual(expect.arrayContaining(own))
  for (const other of ['createUser', 'retrieveOffers', 'createClient']) expect(operations).not.toContain(other)
  for (const role of ['admin', 'viewer', 'helpdesk', 'approver'] as const) {
    const allowed = routes.filter(({ access }) => access.kind === 'operators' && access.roles.includes(role))
    const named = await operationsOf(await tenant.as(role))
    expect(named.toSorted()).toEqual(allowed.map(({ operation }) => operation).toSorted())
  }
})
