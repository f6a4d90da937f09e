import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessCertificates } from '../../../db/tables/issuance/access-certificates.ts'
import { certifyAccess, newAccessAuthority, subject } from '../../certificates/access-authority.ts'
import { newRegistrar } from '../../certificates/registrar.ts'
import { activeIaca, compactConfiguration, mdlConfiguration, sdJwtConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const reusePolicy = { options: [{ methods: ['once_only'], batchSize: 10, reissueTriggerUnused: 2 }] }

async function statesOf({ operator }: TestTenant): Promise<Record<string, string>> {
  const { body } = await operator.get('/v1/openid/configuration/conformance')
  expect(body.specification).toBe('HAIP 1.0 and ETSI TS 119 472-3')
  const states = body.requirements.map(({ name, state }: Record<string, string>) => [name, state])
  expect(states).toHaveLength(47)
  return Object.fromEntries(states)
}

/** Gives the tenant an access certificate that ends in a day, and its registration certificate. */
async function register({ operator }: TestTenant): Promise<void> {
  const path = '/v1/openid/access-certificates'
  const { body } = await operator.post(path, { subject })
  const { root } = await newAccessAuthority()
  const certificatePem = await certifyAccess(root, body.csrPem, { days: 1 })
  expect(await operator.put(`${path}/${body.id}`, { active: true, certificatePem })).toMatchObject({ status: 200 })
  const jwt = await (await newRegistrar()).register({}, service.clock.now())
  expect(await operator.put('/v1/openid/registration-certificates', { jwt })).toMatchObject({ status: 200 })
}

test('the conformance list has what wallets of the EU require', async () => {
  const tenant = await service.addTenant({ profile: 'eudi' })
  await activeIaca(tenant)
  const compactId = await compactConfiguration(tenant)
  const unmet = 'notMet'
  expect(await statesOf(tenant)).toMatchObject({
    ...{ access_certificate: unmet, registration_certificate: unmet, reuse_policy: unmet, eudi_formats: unmet },
    ...{ dpop: 'met', signed_metadata_x5c: 'met' },
  })
  expect(await tenant.operator.delete(`/v2/credentials/compact/configurations/${compactId}`)).toMatchObject({
    status: 204,
  })
  for (const configure of [mdlConfiguration, sdJwtConfiguration]) await configure(tenant, { reusePolicy })
  await register(tenant)
  const met = { reuse_policy: 'met', eudi_formats: 'met', signed_metadata_x5c: 'met', signed_metadata_chain: 'met' }
  expect(await statesOf(tenant)).toMatchObject({
    ...{ ...met, access_certificate: 'met', registration_certificate: 'met' },
  })
  await sdJwtConfiguration(tenant)
  expect(await statesOf(tenant)).toMatchObject({ reuse_policy: unmet })
})

test('a tenant and a view with the profile require what HAIP requires', async () => {
  const tenant = await service.addTenant({ profile: 'eudi' })
  await activeIaca(tenant)
  await mdlConfiguration(tenant)
  const { operator, anonymous } = tenant
  const server = (await anonymous.get('/.well-known/oauth-authorization-server')).body
  expect(server).toMatchObject({
    require_pushed_authorization_requests: true,
    token_endpoint_auth_methods_supported: expect.not.arrayContaining(['none']),
  })
  expect((await anonymous.get('/.well-known/openid-credential-issuer')).body).not.toHaveProperty(
    'credentials_supported',
  )
  const refused = await service.platform.put(`/v1/tenants/${tenant.id}?partial=true`, { publicClients: true })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'publicClients' }] } })
  expect(refused.body.details[0].msg).toContain('profile eudi')

  const view = { name: 'EU', path: 'eu', profile: 'eudi', configurations: { profiles: ['mobile'] } }
  expect(await operator.post('/v1/views', view)).toMatchObject({ status: 201, body: { profile: 'eudi' } })
  const ofView = (await anonymous.get('/.well-known/oauth-authorization-server/views/eu')).body
  expect(ofView.require_pushed_authorization_requests).toBe(true)
  await compactConfiguration(tenant)
  const mixed = { ...view, path: 'mixed', configurations: { profiles: ['mobile', 'compact'] } }
  const { status, body } = await operator.post('/v1/views', mixed)
  expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ param: 'configurations' }] } })
  expect(body.details[0].msg).toContain('The profile eudi allows only mobile and sd-jwt')
})

test('an expired access certificate is not one', async () => {
  const tenant = await service.addTenant({ profile: 'eudi' })
  await register(tenant)
  expect(await statesOf(tenant)).toMatchObject({ access_certificate: 'met', registration_certificate: 'met' })
  const notAfter = service.clock.now()
  await service.deps.db.tx(async (tx) => {
    await tx.update(accessCertificates).set({ notAfter }).where(eq(accessCertificates.tenantId, tenant.id))
  })
  expect(await statesOf(tenant)).toMatchObject({ access_certificate: 'notMet' })
})
