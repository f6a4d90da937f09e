import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAllConfigurations, insertConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { newId } from '../../../shared/ids.ts'
import { newIaca } from '../../certificates/hierarchy.ts'
import { compactConfiguration, sdJwtConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { sdJwtClaims } from '../../harness/issued-sd-jwt.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService({ PUBLIC_SCHEME: 'https' })
})
afterAll(() => service[Symbol.asyncDispose]())

const setFamilies = async (tenant: TestTenant, walletFamilies: string[]) =>
  expect(await tenant.operator.put('/v1/settings', { walletFamilies })).toMatchObject({ status: 200 })

/** Returns the messages about wallets, of a shared offer and of a pre-authorized one. */
async function warningsOf(tenant: TestTenant, credentials: string[]): Promise<string[]> {
  const shared = await tenant.operator.post('/v1/openid/offers', { credentials })
  const single = await tenant.operator.post('/v1/openid/offers/pre-authorized', { credentials, claims: sdJwtClaims })
  expect([shared.status, single.status]).toEqual([200, 200])
  const [ofShared, ofSingle] = [shared, single].map(({ body }) =>
    (body.warnings ?? []).filter(({ code }: { code?: string }) => code === 'unreadable'),
  )
  expect(ofShared).toEqual(ofSingle)
  return ofShared.map(({ message }: { message: string }) => message)
}

async function tenantWith(create: (tenant: TestTenant) => Promise<string>) {
  const tenant = await service.addTenant()
  await newIaca(tenant)
  return { tenant, id: await create(tenant) }
}

test('an offer has no warning about wallets until the tenant names their families', async () => {
  const { tenant, id } = await tenantWith(compactConfiguration)
  expect((await tenant.operator.get('/v1/settings')).body.walletFamilies).toEqual([])
  expect(await warningsOf(tenant, [id])).toEqual([])
  await setFamilies(tenant, ['eudi-ios'])
  expect(await warningsOf(tenant, [id])).toEqual([
    `EUDI Wallet for iOS cannot read this offer. The configuration ${id} has the format cwt. The wallet does not know it and refuses the whole issuer. Make the offers for this wallet at a view without this configuration (POST /v1/views).`,
  ])
})

test('an offer of a readable configuration has the warning if another one closes the issuer', async () => {
  const { tenant, id } = await tenantWith(sdJwtConfiguration)
  await setFamilies(tenant, ['eudi-ios', 'eudi-ios'])
  expect(await warningsOf(tenant, [id])).toEqual([])
  await compactConfiguration(tenant)
  await compactConfiguration(tenant)
  expect(await warningsOf(tenant, [id])).toEqual([
    expect.stringMatching(/^EUDI Wallet for iOS cannot .* 1 more findings: GET .*\/readers\.$/),
  ])
})

test('a configuration that a wallet leaves out is a warning only of offers that have it', async () => {
  const { tenant, id } = await tenantWith(sdJwtConfiguration)
  const leftOut = await compactConfiguration(tenant)
  await setFamilies(tenant, ['credo', 'inji'])
  expect(await warningsOf(tenant, [id])).toEqual([])
  expect(await warningsOf(tenant, [id, leftOut])).toEqual([
    expect.stringMatching(/^Credo cannot read all credentials of this offer\. .*format cwt/),
    'Inji cannot read this offer. The offer has several configurations. The wallet reads offers of one. Create one offer for each configuration.',
  ])
})

test('an offer of a configuration that another process has just created has no warning', async () => {
  const { tenant, id } = await tenantWith(sdJwtConfiguration)
  await setFamilies(tenant, ['credo'])
  expect(await warningsOf(tenant, [id])).toEqual([])
  const [row] = await findAllConfigurations(service.deps.db.read, tenant.id)
  if (row?.profile !== 'sd-jwt') throw new Error('the configuration is missing')
  const { type, settings } = row
  const created = { id: newId(), profile: 'sd-jwt', type, settings } as const
  await service.deps.db.tx((tx) => insertConfiguration(tx, tenant.id, created, new Date()))
  expect(await warningsOf(tenant, [created.id])).toEqual([])
})

test('an unknown family is refused, and the families stay until they are replaced', async () => {
  const { tenant } = await tenantWith(compactConfiguration)
  await setFamilies(tenant, ['inji'])
  expect(await tenant.operator.put('/v1/settings', { walletFamilies: ['lissi'] })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'walletFamilies.0' }] },
  })
  await tenant.operator.put('/v1/settings', { name: 'University' })
  expect((await tenant.operator.get('/v1/settings')).body.walletFamilies).toEqual(['inji'])
})
