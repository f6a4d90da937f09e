import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v1/settings'

test('an admin changes name, branding and defaults of the own tenant, and nothing else', async () => {
  const tenant = await service.addTenant({ maxCredentialsPerSession: 7 })
  const other = await service.addTenant()
  const names = [{ name: 'Universität', locale: 'de' }]
  const body = {
    name: 'University',
    branding: { accentColor: '#1f4e79', contact: 'mailto:help@example.org', names },
    deferredIssuance: 'whenSlow',
    roles: [{ name: 'front-desk', description: 'The front desk', permissions: ['users:find'] }],
    walletFamilies: ['eudi-ios', 'inji'],
    defaultView: 'fitting',
  }
  const before = (await service.platform.get(`/v1/tenants/${tenant.id}`)).body
  expect(await tenant.operator.put(path, body)).toMatchObject({ status: 200, body })
  expect((await tenant.operator.get(path)).body).toEqual({ ...body, approvals: {} })
  expect((await service.platform.get(`/v1/tenants/${tenant.id}`)).body).toEqual({ ...before, ...body })
  expect((await other.operator.get(path)).body.name).not.toBe('University')
  const { body: metadata } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  expect(metadata.display).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'Universität' })]))

  // What stays with the platform has no effect.
  const more = { limits: { webhooks: 1_000 }, profile: 'lenient', aliases: ['a.example'], publicClients: true }
  await tenant.operator.put(path, { ...body, ...more })
  expect((await service.platform.get(`/v1/tenants/${tenant.id}`)).body).toEqual({ ...before, ...body })
  expect(await tenant.operator.put(path, { branding: { logoUrl: 'javascript:alert(1)' } })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'branding.logoUrl' }] },
  })
  for (const role of ['issuer', 'auditor', 'verifier'])
    expect((await (await service.as(role)).put(path, body)).status).toBe(403)
})

test('a change of a version that another admin replaced is refused', async () => {
  const read = await service.operator.get(path)
  const etag = String(read.headers.etag)
  expect((await service.operator.put(path, { name: 'First' })).status).toBe(200)
  const late = await service.operator.send('PUT', path, { name: 'Second' }, { 'If-Match': etag })
  expect(late.status).toBe(412)
  expect((await service.operator.get(path)).body.name).toBe('First')
})
