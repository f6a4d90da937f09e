import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenants } from '../../../db/tables/tenancy/tenants.ts'
import { createApi } from '../../harness/api-client.ts'
import { type Service, startService } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a tenant is created with a host, a DID and an admin client whose secret is shown once', async () => {
  const created = await service.platform.post('/v1/tenants', { name: 'University', subdomain: 'university' })
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'University',
      profile: 'standard',
      statusListFormat: 'draft14',
      client: { roles: ['admin'], permissions: ['*:*'] },
    },
  })
  const { host } = new URL(created.body.baseUrl)
  expect(created.body.did).toBe(`did:web:${host.replace(':', '%3A')}`)

  const listed = await service.platform.get('/v1/tenants')
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([service.id, created.body.id])
  expect(JSON.stringify(listed.body)).not.toContain(created.body.client.clientSecret)
})

test('a host belongs to one tenant', async () => {
  await service.platform.post('/v1/tenants', { name: 'One', subdomain: 'one', aliases: ['issuer.example'] })
  const second = await service.platform.post('/v1/tenants', {
    name: 'Two',
    subdomain: 'two',
    aliases: ['issuer.example'],
  })
  expect(second).toMatchObject({
    status: 409,
    body: { code: 'Conflict', details: [{ param: 'aliases', value: 'issuer.example' }] },
  })
  expect(
    await createApi(service.origin, new URL(`http://two.${service.deps.config.platformDomain}`).host).get('/v1/users'),
  ).toMatchObject({ status: 404 })
})

test.each([
  'https://issuer.example',
  'issuer..example',
  'issuer.example:0',
  'issuer.example:99999',
  '999.999.999.999',
  '1.2',
  '0x7f.1',
  'xn--\u00e9.example',
  'xn--.example',
  '-issuer.example',
])('an alias %s is refused because it is not a host name', async (alias) => {
  const body = { name: 'Wrong', subdomain: 'wrong', aliases: ['issuer.example', alias] }
  const details = [{ param: 'aliases.1', value: alias, location: 'body' }]
  expect(await service.platform.post('/v1/tenants', body)).toMatchObject({ status: 400, body: { details } })
})

test.each(['Other.Example', 'other.example:8443', '192.0.2.1:80', 'localhost'])(
  'an alias %s is accepted',
  async (alias) => {
    const tenant = await service.addTenant({ aliases: [alias] })
    expect(new URL(tenant.baseUrl).host).toBe(alias.toLowerCase().replace(/:80$/, ''))
    expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  },
)

test('an admin reads the settings of its tenant at its host but cannot change them there', async () => {
  const [tenant, other] = [await service.addTenant({ limits: { webhooks: 7 } }), await service.addTenant()]
  const path = `/v1/tenants/${tenant.id}`
  const read = await tenant.operator.get(path)
  expect(read).toMatchObject({ status: 200, body: { id: tenant.id, did: tenant.did, limits: { webhooks: 7 } } })
  expect(read.headers.etag).toBe((await service.platform.get(path)).headers.etag)
  expect(await tenant.operator.get(`/v1/tenants/${other.id}`)).toMatchObject({ status: 404 })
  expect(await other.operator.get(path)).toMatchObject({ status: 404 })
  expect(await tenant.operator.put(path, { name: 'Mine' })).toMatchObject({ status: 404 })
  expect(await (await tenant.as('issuer')).get(path)).toMatchObject({ status: 403 })
})

test('a deleted tenant no longer answers, and its host can be used again', async () => {
  const tenant = await service.addTenant({ aliases: ['gone.example'] })
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  expect(await service.platform.get(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 404 })
  expect(await tenant.operator.get(`/v1/tenants/${tenant.id}/clients`)).toMatchObject({ status: 404 })
  await service.addTenant({ aliases: ['gone.example'] })
})

test('the change and the deletion of a tenant leave other tenants unchanged', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const path = `/v1/tenants/${other.id}`
  const readOther = async () => [await other.operator.get(path), await other.operator.get(`${path}/clients`)]
  const unchanged = (await readOther()).map(({ body }) => ({ status: 200, body }))
  expect(await service.platform.put(`/v1/tenants/${tenant.id}`, { name: 'Changed' })).toMatchObject({ status: 200 })
  expect(await readOther()).toMatchObject(unchanged)
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  expect(await readOther()).toMatchObject(unchanged)
})

test('tenants are managed only at the platform host', async () => {
  expect(await service.operator.get('/v1/tenants')).toMatchObject({ status: 404 })
  expect(await createApi(service.origin, service.deps.config.platformHost).get('/v1/tenants')).toMatchObject({
    status: 401,
    body: 'Unauthorized',
    headers: { 'www-authenticate': expect.stringMatching(/^Bearer error_description=/) },
  })
})

test('a tenant is not created without a signing process, and its subdomain stays free', async () => {
  await using service = await startService()
  await service.workers.stop()
  const create = () => service.platform.post('/v1/tenants', { name: 'Later', subdomain: 'later' })
  const refused = await service.withSigningWait(100, create)
  expect(refused).toMatchObject({ status: 503, body: { code: 'ServiceUnavailable' } })
  expect(refused.headers['retry-after']).toBeDefined()
  await service.workers.start()
  expect(await create()).toMatchObject({ status: 201 })
})

test('settings of another version are read with defaults, and a change keeps unknown settings', async () => {
  const { id } = await service.addTenant()
  const encryption = { requestRequired: true, zip: ['DEF'] }
  const settings = { profile: 'haip', encryption, colour: 'blue' } as never
  await service.deps.db.tx((tx) => tx.update(tenants).set({ settings }).where(eq(tenants.id, id)))
  expect(await service.platform.get(`/v1/tenants/${id}`)).toMatchObject({
    status: 200,
    body: { profile: 'haip', statusListFormat: 'draft14', encryption: { responseRequired: false }, limits: {} },
  })

  const both = { requestRequired: true, responseRequired: true }
  expect(await service.platform.put(`/v1/tenants/${id}?partial=true`, { encryption: both })).toMatchObject({
    status: 200,
  })
  const [row] = await service.deps.db.read.select().from(tenants).where(eq(tenants.id, id))
  expect(row!.settings).toMatchObject({ profile: 'haip', encryption: { ...both, zip: ['DEF'] }, colour: 'blue' })
})
