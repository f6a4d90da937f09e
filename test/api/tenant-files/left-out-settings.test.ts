import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const plan = ({ operator }: TestTenant, objects: object) =>
  operator.post('/v1/configuration/plan', { format: 1, objects })

/** Plans and applies. */
async function apply(tenant: TestTenant, objects: object): Promise<void> {
  const { digest, basedOn } = (await plan(tenant, objects)).body
  const applied = await tenant.operator.post('/v1/configuration/apply', { format: 1, objects, digest, basedOn })
  expect(applied).toMatchObject({ status: 200 })
}

test('a strict setting that a file leaves out gets its default', async () => {
  const tenant = await service.addTenant()
  const wallet = { name: 'Campus', redirectUris: ['https://wallet.example.org/cb'] }
  const strict = { tenant: { profile: 'haip' }, 'wallets/campus': { ...wallet, dpopRequired: true } }
  await apply(tenant, strict)
  const open = { tenant: {}, 'wallets/campus': wallet }
  expect((await plan(tenant, open)).body.changes).toMatchObject([
    { path: 'tenant', fields: [{ path: 'profile', from: 'haip', to: 'standard' }] },
    { path: 'wallets/campus', fields: [{ path: 'dpopRequired', from: true, to: false }] },
  ])
  await apply(tenant, open)
  expect((await plan(tenant, open)).body.changes).toEqual([])
  expect((await tenant.operator.get(`/v1/tenants/${tenant.id}`)).body).toMatchObject({ profile: 'standard' })
  expect((await tenant.operator.get('/v1/openid/clients')).body.data).toMatchObject([{ dpopRequired: false }])
})
