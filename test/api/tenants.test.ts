import { expect, test } from 'vitest'
import { createApi } from '../api-client.ts'
import { startService } from '../harness.ts'

test('a tenant is made with its host, its DID and an admin client whose secret is shown once', async () => {
  await using service = await startService()
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
  expect(listed.body.data).toHaveLength(2)
  expect(JSON.stringify(listed.body)).not.toContain(created.body.client.clientSecret)
})

test('a host belongs to one tenant', async () => {
  await using service = await startService()
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

test('a deleted tenant answers no more, and its host can be taken again', async () => {
  await using service = await startService()
  const tenant = await service.addTenant({ aliases: ['gone.example'] })
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  expect(await service.platform.get(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 404 })
  expect(await tenant.operator.get(`/v1/tenants/${tenant.id}/clients`)).toMatchObject({ status: 404 })
  await service.addTenant({ aliases: ['gone.example'] })
})

test('tenants are managed on the platform host alone', async () => {
  await using service = await startService()
  expect(await service.operator.get('/v1/tenants')).toMatchObject({ status: 404 })
  expect(await createApi(service.origin, service.deps.config.platformHost).get('/v1/tenants')).toMatchObject({
    status: 401,
    body: 'Unauthorized',
    headers: { 'www-authenticate': 'Bearer' },
  })
})

test('when nobody signs, a tenant is not made, and its name stays free', async () => {
  await using service = await startService({ env: { CREDENTIAL_DEADLINE_MS: '1000' } })
  await service.workers.stop()
  const refused = await service.platform.post('/v1/tenants', { name: 'Later', subdomain: 'later' })
  expect(refused).toMatchObject({ status: 503, body: { code: 'ServiceUnavailable' } })
  expect(refused.headers['retry-after']).toBeDefined()
  await service.workers.start()
  expect(await service.platform.post('/v1/tenants', { name: 'Later', subdomain: 'later' })).toMatchObject({
    status: 201,
  })
})
