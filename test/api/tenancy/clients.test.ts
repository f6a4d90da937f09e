import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'

let service: Service
let other: TestTenant
let path: string
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
  path = `/v1/tenants/${service.id}/clients`
})
afterAll(() => service[Symbol.asyncDispose]())

test('a client is created with roles, permissions and a secret that is shown once', async () => {
  const created = await service.operator.post(path, { name: '  Issuing  ', roles: ['auditor', 'verifier', 'auditor'] })
  expect(created.status).toBe(201)
  expect(created.body).toEqual({
    clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Issuing',
    roles: ['auditor', 'verifier'],
    permissions: [
      'dids:*',
      'ecosystem-overview:read',
      'events:read',
      'overview:read',
      'trusted-issuers:*',
      'verification:*',
    ],
    clientSecret: expect.stringMatching(/^[\w-]{43}$/),
  })
  const { clientSecret, ...shown } = created.body
  const listed = await service.operator.get(path)
  expect(listed.body.data).toContainEqual(shown)
  expect(JSON.stringify(listed.body)).not.toContain(clientSecret)

  const token = await service.anonymous.post('/oauth/token', {
    client_id: shown.clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
  })
  expect(token.status).toBe(200)
})

test('a client is read by its id, at the host of its tenant or of the platform, without its secret', async () => {
  const { body } = await service.operator.post(path, { name: 'Read', roles: ['auditor'] })
  const { clientSecret: _secret, ...shown } = body
  const one = `${path}/${shown.clientId}`
  for (const { get } of [service.operator, service.platform]) {
    const { status, body } = await get(one)
    expect([status, body]).toEqual([200, shown])
  }
  const missing = (param: string) => ({ status: 404, body: { details: [{ param, location: 'params' }] } })
  expect(await service.operator.get(`${path}/${randomUUID()}`)).toMatchObject(missing('clientId'))
  expect(await other.operator.get(one)).toMatchObject(missing('tenantId'))
  const elsewhere = `/v1/tenants/${other.id}/clients/${shown.clientId}`
  expect(await other.operator.get(elsewhere)).toMatchObject(missing('clientId'))
  expect(await service.platform.get(elsewhere)).toMatchObject(missing('clientId'))
  expect(await service.platform.get(`/v1/tenants/${randomUUID()}/clients/${shown.clientId}`)).toMatchObject(
    missing('tenantId'),
  )
  expect(await (await service.as('issuer')).get(one)).toMatchObject({ status: 403 })
})

test('a client is changed, and its tokens have the new roles at once', async () => {
  const { body: client } = await service.operator.post(path, { name: 'Reader', roles: ['auditor'] })
  const { origin, host } = service
  const own = createApi(origin, host, await tokenOf(origin, host, client.clientId, client.clientSecret))
  expect((await own.get('/v1/users')).status).toBe(403)
  const changed = await service.operator.put(`${path}/${client.clientId}`, { name: 'Issuer', roles: ['issuer'] })
  expect(changed).toMatchObject({ status: 200, body: { clientId: client.clientId, name: 'Issuer', roles: ['issuer'] } })
  expect(changed.body).not.toHaveProperty('clientSecret')
  expect((await own.get('/v1/users')).status).toBe(200)
  const wrong = await service.operator.put(`${path}/${client.clientId}`, { name: 'Issuer', roles: ['platform'] })
  expect(wrong).toMatchObject({ status: 400, body: { details: [{ param: 'roles.0' }] } })
  expect(await other.operator.put(`${path}/${client.clientId}`, { name: 'Mine', roles: ['issuer'] })).toMatchObject({
    status: 404,
  })
})

test('the event of its creation names the client', async () => {
  const { headers, body } = await service.operator.post(path, { name: 'Named', roles: ['issuer'] })
  const event = await eventually(async () => {
    const events = await service.operator.get(`/v1/events?requestIds=${headers['x-request-id']}`)
    return events.body.data.find(({ type }: { type: string }) => type === 'TENANT_CLIENT_CREATE_SUCCESS')
  })
  expect(event.data).toEqual({ tenantId: service.id, clientId: body.clientId })
})

test('every role has its permissions', async () => {
  const issuing = [
    'approvals:read',
    'authentication-providers:*',
    'bulk-issuances:*',
    'certificates:*',
    'claim-sources:*',
    'configurations:*',
    'credentials:*',
    'dids:*',
    'inboxes:*',
    'interaction-hook:*',
    'links:*',
    'oauth-clients:*',
    'offers:*',
    'overview:read',
    'personal-data:read',
    'revocation:*',
    'stored-credentials:*',
    'users:*',
    'wallet-providers:*',
    'webhooks:*',
  ]
  const permissions: Record<string, string[]> = {
    admin: ['*:*'],
    issuer: issuing,
    'managed-issuer': issuing,
    verifier: ['dids:*', 'trusted-issuers:*', 'verification:*'],
    'dts-provider': ['dids:*', 'ecosystem-certificates:*', 'ecosystem-overview:read', 'ecosystems:*'],
    'dts-consumer': ['ecosystem-certificates:read', 'ecosystem-overview:read', 'ecosystems:read'],
    viewer: ['*:read'],
    approver: ['approvals:*'],
    auditor: ['ecosystem-overview:read', 'events:read', 'overview:read'],
    helpdesk: [
      'bulk-issuances:find',
      'configurations:find',
      'credentials:read',
      'links:write',
      'offers:find',
      'users:find',
    ],
    holder: ['holder-applications:*'],
  }
  for (const [role, expected] of Object.entries(permissions)) {
    const { body } = await service.operator.post(path, { name: role, roles: [role] })
    expect({ role, permissions: body.permissions }).toEqual({ role, permissions: expected })
  }
})

describe('a client is refused with the name of the field if', () => {
  const rows: Record<string, [body: Record<string, unknown>, param: string]> = {
    'it has no name': [{ roles: ['admin'] }, 'name'],
    'its name is blank': [{ name: '  ', roles: ['admin'] }, 'name'],
    'its name is too long': [{ name: 'x'.repeat(201), roles: ['admin'] }, 'name'],
    'its name holds U+0000': [{ name: 'a\u0000b', roles: ['admin'] }, 'name'],
    'it has no roles': [{ name: 'x' }, 'roles'],
    'its list of roles is empty': [{ name: 'x', roles: [] }, 'roles'],
    'a role does not exist': [{ name: 'x', roles: ['admin', 'king'] }, 'roles.1'],
    'a role is that of the platform': [{ name: 'x', roles: ['platform'] }, 'roles.0'],
  }
  for (const [name, [body, param]] of Object.entries(rows)) {
    test(name, async () => {
      const before = (await service.operator.get(`${path}?limit=1000`)).body.data.length
      const refused = await service.operator.post(path, body)
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'BadRequest', details: [{ param, location: 'body' }] },
      })
      expect((await service.operator.get(`${path}?limit=1000`)).body.data).toHaveLength(before)
    })
  }
})

test('a client is deleted once', async () => {
  const { body } = await service.operator.post(path, { name: 'Gone', roles: ['issuer'] })
  expect(await service.operator.delete(`${path}/${body.clientId}`)).toMatchObject({ status: 204, body: undefined })
  expect(await service.operator.delete(`${path}/${body.clientId}`)).toMatchObject({
    status: 404,
    body: { code: 'NotFound', message: 'Resource Not Found', details: [{ param: 'clientId', location: 'params' }] },
  })
  const { data } = (await service.operator.get(`${path}?limit=1000`)).body
  expect(data.map((each: { clientId: string }) => each.clientId)).not.toContain(body.clientId)
})

test('clients of another tenant are not found, by tenant id or by client id', async () => {
  const theirs = `/v1/tenants/${other.id}/clients`
  const notThere = { status: 404, body: { code: 'NotFound' } }
  expect(await service.operator.get(theirs)).toMatchObject(notThere)
  expect(await service.operator.post(theirs, { name: 'x', roles: ['admin'] })).toMatchObject(notThere)
  expect(await service.operator.delete(`${theirs}/${other.clientId}`)).toMatchObject(notThere)
  expect(await service.operator.delete(`${path}/${other.clientId}`)).toMatchObject(notThere)
  expect(await service.operator.delete(`${path}/${randomUUID()}`)).toMatchObject(notThere)
  expect(await other.operator.get(theirs)).toMatchObject({ status: 200 })
  for (const malformed of ['/v1/tenants/x/clients', `${path}/x`]) {
    const method = malformed.endsWith('/x') ? 'DELETE' : 'GET'
    const refused = await service.operator.send(method, malformed)
    expect(refused).toMatchObject({ status: 400, body: { details: [{ location: 'params' }] } })
  }
})

test('only admins manage clients', async () => {
  const otherRoles = ['issuer', 'managed-issuer', 'verifier', 'dts-provider', 'dts-consumer', 'auditor', 'holder']
  const client = await service.as(...otherRoles)
  expect(await client.get(path)).toMatchObject({ status: 403, body: undefined })
  expect(await client.post(path, { name: 'x', roles: ['admin'] })).toMatchObject({ status: 403 })
  expect(await client.delete(`${path}/${service.clientId}`)).toMatchObject({ status: 403 })
  expect(await service.anonymous.get(path)).toMatchObject({ status: 401, body: 'Unauthorized' })
})

test('a page of clients ends where the next one starts', async () => {
  const tenant = await service.addTenant()
  const own = `/v1/tenants/${tenant.id}/clients`
  for (let made = 0; made < 4; made++) await tenant.operator.post(own, { name: `c${made}`, roles: ['auditor'] })
  const clients = (await pagesOf<{ name: string }>(tenant.operator, `${own}?limit=2`)).flat()
  const names = clients.map(({ name }) => name)
  expect(names).toHaveLength(5)
  expect(names.slice(1)).toEqual(['c0', 'c1', 'c2', 'c3'])
})
