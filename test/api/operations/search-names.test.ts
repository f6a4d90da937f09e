import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { search } from '../../../api/operations/search/search.ts'
import { findConfigurationNames, storeMissingNames } from '../../../db/repos/issuance/configuration-names.ts'
import { configurations } from '../../../db/tables/issuance/configurations.ts'
import { users } from '../../../db/tables/issuance/users.ts'
import { rightsOf } from '../../../shared/access/roles.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { nameConfigurations } from '../../../workers/upkeep/name-configurations.ts'
import { plansOf } from '../../db/plans.ts'
import { compactConfiguration, mdlConfiguration, newOffer, webConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
let tenant: TestTenant
beforeAll(async () => {
  // Only the test stores missing names.
  service = await startService({ roles: ['signing'] })
})
beforeEach(async () => {
  tenant = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const find = async (text: string) => (await tenant.operator.get(`/v1/search?q=${text}`)).body.data
const plansOfSearch = () =>
  plansOf(service.deps.config.databaseUrl, async (tx) => {
    const results = await search(tx, tenant.id, rightsOf(['admin']), 'card')
    await findConfigurationNames(
      tx,
      tenant.id,
      results.map(({ id }) => id),
    )
  })
const readSettings = (plans: string[]) =>
  plans.filter((plan) => /"configurations"\."settings"|"settings".*"configurations"/.test(plan))
const namesOfRows = async () =>
  service.deps.db.read
    .select({ id: configurations.id, names: configurations.names })
    .from(configurations)
    .where(eq(configurations.tenantId, tenant.id))

/** Leaves the rows as an earlier version of the service stored them. */
const forgetNames = () =>
  service.deps.db.tx((tx) =>
    tx.update(configurations).set({ names: null }).where(eq(configurations.tenantId, tenant.id)),
  )

test('a search and the names of an overview read no settings of configurations', async () => {
  const ids = [
    await compactConfiguration(tenant, { display: [{ name: 'Bus card' }, { name: 'Buskarte', locale: 'de' }] }),
    await webConfiguration(tenant, { name: 'Course card' }),
    await mdlConfiguration(tenant, { branding: { name: 'Licence card' } }),
  ]
  expect(new Set((await find('card')).map(({ id }: { id: string }) => id))).toEqual(new Set(ids))
  expect(await find('buskarte')).toMatchObject([{ id: ids[0], name: 'Bus card' }])
  const plans = await plansOfSearch()
  expect(plans.some((plan) => plan.includes('"names"'))).toBe(true)
  expect(readSettings(plans)).toEqual([])
})

test('a replaced configuration is found by its new name only', async () => {
  const id = await webConfiguration(tenant, { name: 'Course card' })
  const path = `/v2/credentials/web-semantic/configurations/${id}`
  const { body } = await tenant.operator.get(path)
  expect(await tenant.operator.put(path, { ...body, name: 'Diploma' })).toMatchObject({ status: 200 })
  expect(await find('diploma')).toMatchObject([{ id, name: 'Diploma' }])
  expect(await find('card')).toEqual([])
})

test('configurations that an earlier version stored are found at once, and get their names in portions', async () => {
  const ids = []
  for (let number = 0; number < 5; number++)
    ids.push(await compactConfiguration(tenant, { display: [{ name: `Bus card ${number}` }] }))
  await forgetNames()
  expect(await find('card')).toHaveLength(5)
  expect(readSettings(await plansOfSearch())).not.toEqual([])
  const { db } = service.deps
  expect(await db.tx((tx) => storeMissingNames(tx, 3))).toBe(3)
  expect((await namesOfRows()).filter(({ names }) => names === null)).toHaveLength(2)
  expect(await find('card')).toHaveLength(5)
  await nameConfigurations(service.deps)
  expect((await namesOfRows()).map(({ id, names }) => `${id} ${names}`).sort()).toEqual(
    ids.map((id, number) => `${id} Bus card ${number}`).sort(),
  )
  expect(readSettings(await plansOfSearch())).toEqual([])
  expect(await db.tx((tx) => storeMissingNames(tx, 3))).toBe(0)
})

test('an index finds the configurations without names', async () => {
  const plans = await plansOf(service.deps.config.databaseUrl, (tx) => storeMissingNames(tx, 50))
  expect(plans.join('\n')).toContain('configurations_without_names')
})

test('words in labels find users and offers among the newest, in any order and in one tenant', async () => {
  const { operator } = tenant
  const user = (await operator.post('/v1/users', { label: 'Order 4711 Anna Rossi' })).body
  const configurationId = await compactConfiguration(tenant)
  const offer = await newOffer(tenant, [configurationId], { label: 'Rossi, Anna (second card)' })
  await operator.post('/v1/openid/offers', { credentials: [configurationId], label: 'Fair for Rossi and friends' })
  await operator.post('/v1/users', { label: 'Anna Bianchi' })
  await service.operator.post('/v1/users', { label: 'The Rossi of another tenant' })

  const labels = async (text: string) => (await find(text)).map(({ name }: { name: string }) => name)
  expect(await labels('rossi')).toEqual([
    'Order 4711 Anna Rossi',
    'Rossi, Anna (second card)',
    'Fair for Rossi and friends',
  ])
  expect(await labels('ROSSI%20anna')).toEqual(['Order 4711 Anna Rossi', 'Rossi, Anna (second card)'])
  expect(await labels('ross_')).toEqual([])
  expect(await find('second')).toMatchObject([{ kind: 'offer', id: offer.id }])

  // More than a search compares. The beginning of a label still finds the user.
  const { db, clock } = service.deps
  const createdAt = plusMs(clock.now(), 60_000)
  for (let count = 0; count < 2_000; count += 500) {
    const rows = Array.from({ length: 500 }, () => ({ id: newId(), tenantId: tenant.id, claims: {}, createdAt }))
    await db.tx((tx) => tx.insert(users).values(rows))
  }
  expect(await labels('4711')).toEqual([])
  expect(await find('order 4711')).toMatchObject([{ kind: 'user', id: user.id }])
})
