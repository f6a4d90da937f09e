import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunksOf } from '../../../db/repos/chunks.ts'
import { maxListedConfigurations } from '../../../db/repos/issuance/listed-credentials.ts'
import { credentials } from '../../../db/tables/issuance/credentials.ts'
import { plusMs } from '../../../shared/clock.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { newWallet } from '../../wallets/wallet.ts'

const path = '/v2/credentials/issued'
const day = 24 * 3_600_000
const start = new Date('2026-03-01T00:00:00.000Z')

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Given = Partial<typeof credentials.$inferInsert>

/** Stores records of credentials. Returns their ids. */
async function seed(rows: Given[], tenantId = service.id): Promise<string[]> {
  const all = rows.map((row) => ({
    ...{ id: randomUUID(), tenantId, userId: randomUUID(), issuanceId: randomUUID(), sessionId: randomUUID() },
    ...{ profile: 'compact' as const, type: 'Course', status: 'valid' as const, position: 0 },
    ...{ configurationId: randomUUID(), issuedAt: start, validFrom: start, ...row },
  }))
  await service.deps.db.tx((tx) => tx.insert(credentials).values(all))
  return all.map(({ id }) => id)
}

async function idsOf(
  query: Record<string, string>,
  { operator }: Pick<Service, 'operator'> = service,
): Promise<string[]> {
  const { status, body } = await operator.get(`${path}?${new URLSearchParams(query)}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.data.map(({ id }: { id: string }) => id)
}

test('the list of a configuration is limited by days or times, both inclusive, in both orders', async () => {
  const configurationId = randomUUID()
  const times = [-1, 0, day - 1, day, 2 * day].map((ms) => plusMs(start, ms))
  const ids = await seed(times.map((issuedAt) => ({ configurationId, issuedAt })))
  const other = await service.addTenant()
  await seed([{ configurationId, issuedAt: start }], other.id)
  const of = (query: Record<string, string> = {}) => idsOf({ configurationId, ...query })
  expect(await of()).toEqual(ids)
  expect(await of({ order: 'newest' })).toEqual(ids.toReversed())
  // A day is in UTC.
  expect(await of({ issuedFrom: '2026-03-01' })).toEqual(ids.slice(1))
  expect(await of({ issuedTo: '2026-03-01' })).toEqual(ids.slice(0, 3))
  expect(await of({ issuedFrom: '2026-03-01', issuedTo: '2026-03-01' })).toEqual(ids.slice(1, 3))
  const oneTime = { issuedFrom: '2026-03-02T01:00:00+01:00', issuedTo: '2026-03-02T00:00:00.000Z' }
  expect(await of(oneTime)).toEqual([ids[3]])
  expect(await of({ issuedFrom: '2026-03-03', issuedTo: '2026-03-01' })).toEqual([])
  const query = { issuedFrom: '2026-03-01', order: 'newest', limit: '3' }
  const page = (await service.operator.get(`${path}?${new URLSearchParams({ configurationId, ...query })}`)).body
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2).toReversed())
  expect(await of({ ...query, cursor: page.nextCursor })).toEqual([ids[1]])
  expect(await idsOf({ configurationId, issuedFrom: '2027-01-01' }, other)).toEqual([])
})

test('a filter of the list that cannot be read is named', async () => {
  const configurationId = randomUUID()
  const wrong = { issuedFrom: 'yesterday', issuedTo: '2026-02-30', order: 'random' }
  for (const [param, value] of Object.entries(wrong)) {
    const query = new URLSearchParams({ configurationId, [param]: value })
    expect(await service.operator.get(`${path}?${query}`)).toMatchObject({
      status: 400,
      body: { details: [{ param }] },
    })
  }
})

test('a credential says whether it can be revoked', async () => {
  for (const revocable of [true, false]) {
    const configurationId = await compactConfiguration(service, { revocable })
    const { uri } = await newOffer(service, [configurationId])
    await (await newWallet(service, service.origin, uri)).collect()
    const { data } = (await service.operator.get(`${path}?configurationId=${configurationId}`)).body
    expect(data).toMatchObject([{ isRevocable: revocable }])
    expect((await service.operator.get(`${path}/${data[0].id}`)).body).toEqual(data[0])
  }
})

/** Reads all pages. */
async function walk({ operator }: Pick<Service, 'operator'>, query: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await operator.get(`${path}?${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`)
    expect(body.data.length).toBeLessThanOrEqual(Number(query.limit))
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.nextCursor === undefined) return ids
    expect(body.nextCursor).not.toBe(cursor)
    cursor = body.nextCursor
  }
}

test('the credentials of all configurations are merged by time and id, in both orders and with any limit', async () => {
  const tenant = await service.addTenant()
  const configurations = Array.from({ length: 12 }, () => randomUUID())
  // Many have the same time, and some configurations have only old ones.
  const rows = Array.from({ length: 400 }, (_, index) => ({
    id: randomUUID(),
    configurationId: configurations[index % 4 === 0 ? index % 12 : index % 3] ?? '',
    issuedAt: plusMs(start, Math.floor((index * index) % 61) * day),
  }))
  await seed(rows, tenant.id)
  await seed(rows.slice(0, 20).map((row) => ({ ...row, id: randomUUID() })))
  const sorted = rows.toSorted(
    (left, right) => left.issuedAt.getTime() - right.issuedAt.getTime() || (left.id < right.id ? -1 : 1),
  )
  const ids = sorted.map(({ id }) => id)
  for (const limit of ['7', '200', '1000']) {
    expect(await walk(tenant, { limit, order: 'oldest' })).toEqual(ids)
    expect(await walk(tenant, { limit, order: 'newest' })).toEqual(ids.toReversed())
  }
  expect(await idsOf({ limit: '390' }, tenant)).toHaveLength(390)
  const days = sorted.filter(({ issuedAt }) => issuedAt >= plusMs(start, day) && issuedAt < plusMs(start, 4 * day))
  const query = { limit: '9', issuedFrom: '2026-03-02', issuedTo: '2026-03-04', order: 'newest' }
  expect(await walk(tenant, query)).toEqual(days.map(({ id }) => id).toReversed())
  const none = await service.addTenant()
  expect(await walk(none, { limit: '9' })).toEqual([])
})

test('the list is filtered by state, profile and type, of one configuration and of all', async () => {
  const tenant = await service.addTenant()
  const [now, configurationId] = [service.clock.now(), randomUUID()]
  const validities: Given[] = [
    {},
    { validUntil: plusMs(now, day) },
    { validUntil: plusMs(now, -1) },
    { status: 'invalid', validUntil: plusMs(now, -1) },
    { status: 'suspended' },
    { configurationId: randomUUID(), profile: 'mobile', type: 'org.iso.18013.5.1.mDL' },
  ]
  const rows = validities.map((row, index) => ({ configurationId, issuedAt: plusMs(start, index), ...row }))
  const [valid, ending, expired, revoked, suspended, mobile] = await seed(rows, tenant.id)
  for (const selection of [{ configurationId }, {}]) {
    const others = 'configurationId' in selection ? [] : [mobile]
    const list = (query: Record<string, string>) => idsOf({ ...selection, ...query }, tenant)
    expect(await list({ state: 'valid' })).toEqual([valid, ending, ...others])
    expect(await list({ state: 'expired' })).toEqual([expired])
    expect(await list({ state: 'revoked', order: 'newest' })).toEqual([revoked])
    expect(await list({ state: 'suspended' })).toEqual([suspended])
    expect(await list({ profile: 'mobile' })).toEqual(others)
    expect(await list({ type: 'org.iso.18013.5.1.mDL', state: 'valid' })).toEqual(others)
    expect(await list({ state: 'valid', profile: 'compact', limit: '1' })).toEqual([valid])
  }
  for (const [param, value] of Object.entries({ state: 'invalid', profile: 'paper' }))
    expect(await tenant.operator.get(`${path}?${param}=${value}`)).toMatchObject({
      status: 400,
      body: { details: [{ param }] },
    })
})

test('a page of a rare state examines a limited number of credentials and has a cursor', async () => {
  const tenant = await service.addTenant()
  const own = [randomUUID(), randomUUID()]
  const rows = Array.from({ length: 4_500 }, (_, index) => ({
    configurationId: own[index % 2] ?? '',
    issuedAt: plusMs(start, index),
    ...(index % 1_000 === 900 && { status: 'invalid' as const }),
  }))
  for (const chunk of chunksOf(rows)) await seed(chunk, tenant.id)
  for (const selection of [{}, { configurationId: own[0] ?? '' }]) {
    const query = { ...selection, state: 'revoked', order: 'newest', limit: '10' }
    const { body } = await tenant.operator.get(`${path}?${new URLSearchParams(query)}`)
    // The newest 2,000 of all, or of the configuration.
    expect(body.data).toHaveLength('configurationId' in selection ? 4 : 2)
    expect(body.nextCursor).toBeDefined()
    expect(await walk(tenant, query)).toHaveLength(4)
    expect(await walk(tenant, { ...query, limit: '1' })).toHaveLength(4)
  }
})

test('the list has the credentials of deleted configurations', async () => {
  const tenant = await service.addTenant()
  const configurationId = await compactConfiguration(tenant)
  const [id] = await seed([{ configurationId }], tenant.id)
  const deletion = await tenant.operator.delete(`/v2/credentials/compact/configurations/${configurationId}`)
  expect(deletion).toMatchObject({ status: 204 })
  expect(await idsOf({}, tenant)).toEqual([id])
})

test('a tenant with too many configurations that have credentials must name one', async () => {
  const tenant = await service.addTenant()
  const rows = Array.from({ length: maxListedConfigurations + 1 }, () => ({}))
  for (const chunk of chunksOf(rows)) await seed(chunk, tenant.id)
  expect(await tenant.operator.get(path)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'configurationId' }] },
  })
})
