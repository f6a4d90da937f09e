import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../harness/harness.ts'
import { createTestKeyProvider } from '../../harness/test-key-provider.ts'

let service: Service
beforeAll(async () => {
  const env = { KEY_PROVIDER: 'pkcs11', REQUIRE_HARDWARE_KEYS: 'tokens' }
  service = await startService({ keyProviders: [createTestKeyProvider().provider], env })
})
afterAll(() => service[Symbol.asyncDispose]())

const filesOf = (tenant: object) => ({ format: 1, objects: { tenant } })

test('the policy of keys is exported, planned, applied, and reset by a file without it', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const plan = async (content: object) => (await operator.post('/v1/configuration/plan', filesOf(content))).body
  const apply = async (content: object) => {
    const { digest, basedOn } = await plan(content)
    const applied = await operator.post('/v1/configuration/apply', { ...filesOf(content), digest, basedOn })
    expect(applied).toMatchObject({ status: 200 })
  }
  const policyOf = async () => (await service.platform.get(`/v1/tenants/${tenant.id}`)).body.keys
  const policy = { default: 'software', dids: 'pkcs11', tokens: 'pkcs11' }
  expect((await plan({ keys: policy })).changes).toMatchObject([
    {
      path: 'tenant',
      op: 'update',
      fields: Object.entries(policy).map(([part, to]) => ({ path: `keys.${part}`, to })),
    },
  ])
  await apply({ keys: policy })
  expect(await policyOf()).toEqual(policy)
  const exported = await operator.get('/v1/configuration')
  expect(exported.body.objects.tenant.keys).toEqual(policy)
  expect((await plan({ keys: policy })).changes).toEqual([])
  // The new keys of the next rotation follow it.
  await operator.post('/v1/keys/webhooks/rotate')
  const { data } = (await operator.get('/v1/keys')).body
  const inUse = data.find(
    (key: { purpose: string; retiredAt: unknown }) => key.purpose === 'webhooks' && !key.retiredAt,
  )
  expect(inUse.provider).toBe('software')
  expect((await plan({})).changes).toMatchObject([
    { fields: Object.entries(policy).map(([part, from]) => ({ path: `keys.${part}`, from })) },
  ])
  await apply({})
  expect(await policyOf()).toEqual({})
})

test('files cannot put keys into software that the platform requires in hardware, and name unknown providers', async () => {
  const { operator, id } = await service.addTenant()
  const weaker = filesOf({ keys: { tokens: 'software' } })
  const { digest, basedOn } = (await operator.post('/v1/configuration/plan', weaker)).body
  const refused = await operator.post('/v1/configuration/apply', { ...weaker, digest, basedOn })
  expect([refused.status, refused.body.details?.[0]?.param]).toEqual([400, 'objects.tenant.keys.tokens'])
  expect((await service.platform.get(`/v1/tenants/${id}`)).body.keys).toEqual({})
  const unknown = await operator.post('/v1/configuration/plan', filesOf({ keys: { dids: 'hsm' } }))
  expect([unknown.status, unknown.body.details?.[0]?.param]).toEqual([400, 'objects.tenant.keys.dids'])
})
