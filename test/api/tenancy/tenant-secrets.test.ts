import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { forgetTenant } from '../../../api/access/tenant.ts'
import { changeMove } from '../../../db/repos/tenancy/moves.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import { tenants } from '../../../db/tables/tenancy/tenants.ts'
import { tenantSecretContext } from '../../../shared/secrets/stored-contexts.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})

const secretOf = async ({ id }: TestTenant) => (await findTenant(service.deps.db.read, id))?.sealedSecret
const openSecret = async (tenant: TestTenant) =>
  service.deps.secrets.openBytes(
    Buffer.from((await secretOf(tenant)) ?? '', 'base64url'),
    tenantSecretContext(tenant.id),
  )
const removeSecret = ({ id }: TestTenant) =>
  service.deps.db.tx((tx) => tx.update(tenants).set({ sealedSecret: null }).where(eq(tenants.id, id)))
/** Requests then read the tenant again. */
const forget = ({ id }: TestTenant) => forgetTenant(service.deps, id)

test('each tenant gets a secret of its own, which is stored sealed', async () => {
  const [one, two] = [await service.addTenant(), await service.addTenant()]
  expect(await openSecret(one)).toHaveLength(32)
  expect(await openSecret(one)).not.toEqual(await openSecret(two))
})

test('a tenant that an older version made gets its secret by the first request, once', async () => {
  const tenant = await service.addTenant()
  await removeSecret(tenant)
  forget(tenant)
  const answers = await Promise.all([1, 2, 3].map(() => tenant.operator.get('/v1/users')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const secret = await secretOf(tenant)
  expect(await openSecret(tenant)).toHaveLength(32)
  forget(tenant)
  expect(await tenant.operator.get('/v1/users')).toMatchObject({ status: 200 })
  expect(await secretOf(tenant)).toBe(secret)
})

test('a tenant that moves is not changed, so it gets no secret then', async () => {
  const tenant = await service.addTenant()
  await removeSecret(tenant)
  await service.deps.db.tx((tx) => changeMove(tx, tenant.id, { from: 'active', to: 'moving' }))
  forget(tenant)
  expect(await tenant.operator.get('/v1/users')).toMatchObject({ status: 200 })
  expect(await secretOf(tenant)).toBeNull()
})
