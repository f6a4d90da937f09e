import { and, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../api/routes.ts'
import { insertEvents } from '../../../db/repos/operations/search/events.ts'
import { events } from '../../../db/tables/operations/events.ts'
import { readOperations } from '../../../shared/domain/operations/events.ts'
import { newId } from '../../../shared/ids.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(() => service?.[Symbol.asyncDispose]())

interface Listed {
  type: string
  durationMs?: number
}
const typesOf = async (query: string) =>
  (await service.operator.get(`/v1/events?${query}`)).body.data.map(({ type }: Listed) => type)

test('the changes of an object are found by its id, also refused ones, but no reads', async () => {
  const { body: user } = await service.operator.post('/v1/users', { claims: {} })
  await service.operator.get(`/v1/users/${user.id}`)
  await service.operator.put(`/v1/users/${user.id}`, { claims: 1 })
  await service.operator.delete(`/v1/users/${user.id}`)
  const expected = ['USER_DELETE_SUCCESS', 'USER_UPDATE_FAIL', 'USER_CREATE_SUCCESS']
  await eventually(async () => (await typesOf(`objectId=${user.id}&show=requests`)).length === expected.length)
  expect(await typesOf(`objectId=${user.id}&show=requests`)).toEqual(expected)
  await expect.poll(() => typesOf(`objectId=${user.id}`)).toHaveLength(6)
  const whole = await typesOf(`objectId=${user.id}`)
  expect(await typesOf(`objectId=${user.id}&types=USER_DELETE_START`)).toEqual(['USER_DELETE_START'])
  const pages = await pagesOf<Listed>(service.operator, `/v1/events?objectId=${user.id}&limit=1`)
  // The next request can start before the end of the last one is recorded, and a page orders only its own events by time.
  expect(
    pages
      .flat()
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(whole.toSorted())
  expect(await typesOf(`objectId=${newId()}`)).toEqual([])
  const { body } = await service.operator.get(`/v1/events?objectId=${user.id}`)
  for (const { type, durationMs } of body.data as Listed[])
    expect(durationMs).toEqual(type.endsWith('_START') ? undefined : expect.any(Number))
})

test('a request that starts when another one ends is after it, in one page and in several', async () => {
  const tenant = await service.addTenant()
  const objectId = newId()
  const at = (place: number) => new Date(service.clock.now().getTime() - 100_000 + place).toISOString()
  const row = (type: string, from: number, to: number) => {
    const names = { id: newId(), tenantId: tenant.id, category: 'USERS', requestId: newId(), objectId }
    return { ...names, type, timestamp: at(to), data: {}, start: { timestamp: at(from), data: {} } }
  }
  const rows = [row('USER_UPDATE_FAIL', 0, 5), row('USER_DELETE_SUCCESS', 5, 8)]
  await service.deps.db.tx((tx) => insertEvents(tx, rows))
  const expected = ['USER_DELETE_SUCCESS', 'USER_DELETE_START', 'USER_UPDATE_FAIL', 'USER_UPDATE_START']
  for (const limit of [1, 3, 100]) {
    const pages = await pagesOf<Listed>(tenant.operator, `/v1/events?objectId=${objectId}&limit=${limit}`)
    expect(pages.flat().map(({ type }) => type)).toEqual(expected)
  }
})

test('an issuance adds no entry to the index of objects, and its offer is an object', async () => {
  const configurationId = await compactConfiguration(service)
  const offer = await newOffer(service, [configurationId])
  const wallet = await newWallet(service, service.origin, offer.uri)
  await wallet.redeem()
  expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  const query = `objectId=${offer.id}&show=requests`
  await eventually(async () => (await typesOf(query)).length === 3)
  expect(new Set(await typesOf(query))).toEqual(
    new Set(['OPENID_PRE_AUTHORIZED_OFFER_CREATE_SUCCESS', 'OPENID_TOKEN_SUCCESS', 'OPENID_CREDENTIAL_SUCCESS']),
  )
  const isIndexed = and(eq(events.tenantId, service.id), eq(events.offerId, offer.id), isNotNull(events.objectId))
  expect(await service.deps.db.read.select().from(events).where(isIndexed)).toEqual([])
  await eventually(async () => (await typesOf(`objectId=${configurationId}`)).length === 2)
})

test('changes are shown without successful reads, in pages that read a limited number of rows', async () => {
  const tenant = await service.addTenant()
  const at = (place: number) => new Date(service.clock.now().getTime() - 100_000 + place).toISOString()
  const row = (type: string, place: number) => {
    return {
      id: newId(),
      tenantId: tenant.id,
      type,
      category: 'USERS',
      requestId: newId(),
      timestamp: at(place),
      data: {},
    }
  }
  const reads = Array.from({ length: 2_500 }, (_, place) => row('USER_RETRIEVE_LIST_SUCCESS', place + 10))
  const others = [row('USER_CREATE_SUCCESS', 0), row('USER_RETRIEVE_FAIL', 1), row('USER_UPDATE_START', 2)]
  await service.deps.db.tx((tx) => insertEvents(tx, [...others, ...reads]))
  const until = `dateTo=${at(5_000)}`
  const { body: first } = await tenant.operator.get(`/v1/events?show=changes&${until}&categories=USERS`)
  expect(first).toEqual({ data: [], nextCursor: expect.any(String) })
  for (const query of ['', '&categories=USERS', '&limit=1']) {
    const pages = await pagesOf<Listed>(tenant.operator, `/v1/events?show=changes&${until}${query}`)
    const userEvents = pages.flat().filter(({ type }) => type.startsWith('USER_'))
    expect(userEvents.map(({ type }) => type)).toEqual(['USER_RETRIEVE_FAIL', 'USER_CREATE_SUCCESS'])
  }
})

test('each operation that only reads has a word for it in its event, and no change has one', () => {
  const isRead = (event: string) => readOperations.some((word) => event.includes(word))
  const named = routes.filter(({ event, access }) => event && 'roles' in access)
  const reads = named.filter(({ method, event }) => method === 'GET' && !isRead(event ?? ''))
  expect(reads.map(({ operation }) => operation)).toEqual([])
  const changes = named.filter(({ method, event }) => method !== 'GET' && isRead(event ?? ''))
  expect(changes.map(({ operation }) => operation)).toEqual(['searchUsers'])
})
