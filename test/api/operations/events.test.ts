import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertEvents } from '../../../db/repos/operations/search/events.ts'
import { workerRoles } from '../../../workers/worker-roles.ts'
import type { Api, ApiResponse } from '../../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { startRedis } from '../../harness/redis.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
let auditor: Api
beforeAll(async () => {
  // Without upkeep, which purges old events.
  service = await startService({ roles: workerRoles.filter((role) => role !== 'upkeep') })
  auditor = await service.as('auditor')
})
afterAll(() => service[Symbol.asyncDispose]())

interface Event {
  id: string
  type: string
  category: string
  timestamp: string
  requestId: string
  tenantId: string
  clientId?: string
  data: Record<string, unknown>
}

/** Waits for the START event and the outcome event of a request. Leaves audit rows out. */
function eventsOf({ headers }: ApiResponse, reader: Api = auditor): Promise<[Event, Event]> {
  return eventually(async () => {
    const { status, body } = await reader.get(`/v1/events?requestIds=${headers['x-request-id']}`)
    expect(status).toBe(200)
    const events = body.data.filter(({ category }: Event) => category !== 'AUDIT')
    return events.length === 2 && events.toReversed()
  })
}

test('a successful operation is recorded as START and SUCCESS with the request id of its answer', async () => {
  const created = await service.operator.post('/v1/users', { claims: { name: 'Ana' } })
  const [start, success] = await eventsOf(created)
  const common = {
    category: 'USERS',
    requestId: created.headers['x-request-id'],
    tenantId: service.id,
    clientId: service.clientId,
    metadata: {},
  }
  expect(start).toStrictEqual({
    ...common,
    id: start.id,
    type: 'USER_CREATE_START',
    timestamp: start.timestamp,
    data: {},
  })
  expect(success).toMatchObject({ ...common, type: 'USER_CREATE_SUCCESS', data: { id: created.body.id } })

  const retrieved = await service.operator.get(`/v1/users/${created.body.id}`)
  expect(await eventsOf(retrieved)).toMatchObject([
    { type: 'USER_RETRIEVE_START', data: { id: created.body.id } },
    { type: 'USER_RETRIEVE_SUCCESS', data: { id: created.body.id } },
  ])
})

test('a list operation is recorded with its limit, the number of entries and the next cursor', async () => {
  const { operator } = await service.addTenant()
  for (let i = 0; i < 3; i++) await operator.post('/v1/users', {})
  const listed = await operator.get('/v1/users?limit=2')
  expect(await eventsOf(listed, operator)).toMatchObject([
    { type: 'USER_RETRIEVE_LIST_START', data: { limit: 2 } },
    { type: 'USER_RETRIEVE_LIST_SUCCESS', data: { entriesCount: 2, nextCursor: listed.body.nextCursor } },
  ])
  const searched = await operator.post('/v1/users/search', { claims: { none: true } })
  expect(await eventsOf(searched, operator)).toMatchObject([
    { type: 'USER_SEARCH_START' },
    { type: 'USER_SEARCH_SUCCESS', data: { entriesCount: 0 } },
  ])
})

test('a failed operation is recorded as START and FAIL with the type and message of its error', async () => {
  const id = randomUUID()
  const cases: [answer: ApiResponse, event: string, error: unknown][] = [
    [
      await service.operator.get(`/v1/users/${id}`),
      'USER_RETRIEVE',
      { type: 'NotFound', message: 'Resource Not Found' },
    ],
    [
      await service.operator.post('/v1/users', { claims: 1 }),
      'USER_CREATE',
      { type: 'BadRequest', message: 'Validation Error; claims: Must be an object' },
    ],
    [
      await auditor.post('/v1/users', {}),
      'USER_CREATE',
      {
        type: 'Forbidden',
        message: 'The client needs one of the roles admin, issuer, managed-issuer. Roles of the client: auditor.',
      },
    ],
    [await service.anonymous.post('/v1/users', {}), 'USER_CREATE', { type: 'Unauthorized', message: 'Unauthorized' }],
  ]
  for (const [answer, event, error] of cases) {
    const [start, fail] = await eventsOf(answer)
    expect([start.type, fail.type, fail.data]).toEqual([`${event}_START`, `${event}_FAIL`, { error }])
  }
})

test('events contain no claims, no secrets and no refused values', async () => {
  const marker = `marker-${randomUUID()}`
  const { operator } = service
  const provider = await operator.post('/v1/users/authentication-providers', {
    url: 'https://login.example.com',
    clientId: 'trustwright',
    clientSecret: marker,
  })
  const authenticationProvider = { providerId: provider.body.id, subjectId: marker }
  const answers = [
    provider,
    await operator.post('/v1/users', { claims: { [marker]: marker }, authenticationProvider }),
    await operator.post('/v1/users', { claims: { [marker]: marker }, authenticationProvider }),
    await operator.post('/v1/users', `{"claims":{"${marker}":1,"${marker}":2}}`),
    await operator.post('/v1/users/search', { claims: { [marker]: marker }, authenticationProvider }),
    await operator.get(`/v1/users/${marker}`),
    await operator.get(`/v1/users?limit=${marker}`),
    await operator.get(`/v1/users?cursor=${marker}`),
    await service.anonymous.post('/oauth/token', {
      client_id: service.clientId,
      client_secret: marker,
      grant_type: 'client_credentials',
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 409, 400, 200, 400, 400, 400, 401])
  for (const answer of answers) expect(JSON.stringify(await eventsOf(answer))).not.toContain(marker)
})

test('a client id of a wallet is not recorded as a management client', async () => {
  const { uri } = await newOffer(service, [await compactConfiguration(service)])
  const wallet = await newWallet(service, service.origin, uri)
  expect(await wallet.redeem({ client_id: service.clientId })).toMatchObject({ status: 200 })
  const answer = await wallet.requestCredential()
  expect(answer).toMatchObject({ status: 200 })
  for (const event of await eventsOf(answer)) {
    expect(event).toMatchObject({ category: 'OPENID_VCI', walletClientId: service.clientId })
    expect(event).not.toHaveProperty('clientId')
  }
  const { body } = await auditor.get(`/v1/events?clientIds=${service.clientId}&types=OPENID_CREDENTIAL_SUCCESS`)
  expect(body.data).toEqual([])
})

test('events are filtered by each field and by several fields', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const row = (day: string, type: string, category: string, clientId: string, managementUserId?: string) => ({
    id: randomUUID(),
    requestId: randomUUID(),
    tenantId,
    type,
    category,
    clientId,
    ...(managementUserId ? { managementUserId } : {}),
    // No row is old enough to be removed.
    timestamp: `2030-03-${day}`,
    data: {},
  })
  const rows = [
    row('01T00:00:00.000Z', 'A_START', 'A', 'one'),
    row('01T23:59:59.999Z', 'A_SUCCESS', 'A', 'one', 'ana'),
    row('02T12:00:00.000Z', 'B_START', 'B', 'two'),
    row('03T00:00:00.000Z', 'B_FAIL', 'B', 'two', 'ben'),
  ]
  await service.deps.db.tx((tx) => insertEvents(tx, rows))
  const cases: [query: string, places: number[]][] = [
    [`ids=${rows[0]!.id},${rows[2]!.id}`, [2, 0]],
    [`ids=${rows[0]!.id}&ids=${rows[2]!.id}`, [2, 0]],
    [`requestIds=${rows[1]!.requestId}`, [1]],
    ['categories=A', [1, 0]],
    ['types=A_START,B_FAIL', [3, 0]],
    ['types=A_START&types=B_FAIL', [3, 0]],
    ['clientIds=two', [3, 2]],
    ['managementUserIds=ana,ben', [3, 1]],
    ['clientIds=two&managementUserIds=ana', []],
    ['dateFrom=2030-03-01&dateTo=2030-03-01', [1, 0]],
    ['dateFrom=2030-03-01T23:59:59.999Z&dateTo=2030-03-03T00:00:00.000Z', [3, 2, 1]],
    ['dateFrom=2030-03-02T13:00:00%2B01:00&dateTo=2030-03-02T13:00:00%2B01:00', [2]],
    ['dateFrom=2030-03-04', []],
  ]
  for (const [query, places] of cases) {
    const { status, body } = await operator.get(`/v1/events?${query}`)
    expect(status, query).toBe(200)
    expect(
      body.data.map(({ id }: Event) => id),
      query,
    ).toEqual(places.map((place) => rows[place]!.id))
  }

  const first = await operator.get('/v1/events?dateFrom=2030-01-01&limit=3')
  const second = await operator.get(`/v1/events?dateFrom=2030-01-01&limit=3&cursor=${first.body.nextCursor}`)
  const ids = [...first.body.data, ...second.body.data].map(({ id }: Event) => id)
  expect(ids).toEqual(rows.toReversed().map(({ id }) => id))
  expect(second.body.nextCursor).toBeUndefined()
})

test('an invalid filter is refused with its name', async () => {
  for (const [query, param, msg] of [
    ['ids=x', 'ids.0', 'Must be a UUID'],
    [`requestIds=${randomUUID()},`, 'requestIds.1', 'Must be a UUID'],
    ['types=', 'types.0', 'Must not be empty'],
    ['dateFrom=yesterday', 'dateFrom'],
    ['dateTo=2026-02-30', 'dateTo'],
    ['dateTo=2026-01-01T00:00:00', 'dateTo'],
    ['limit=1001', 'limit'],
    ['cursor=x', 'cursor'],
  ] as const) {
    expect(await auditor.get(`/v1/events?${query}`), query).toMatchObject({
      status: 400,
      body: { details: [{ param, location: 'query', ...(msg && { msg }) }] },
    })
  }
})

test('admin and auditor read the events of their own tenant, and reading creates no event', async () => {
  const elsewhere = await service.addTenant()
  const seen = await elsewhere.operator.get('/v1/events')
  expect(seen.status).toBe(200)
  for (const { tenantId } of seen.body.data) expect(tenantId).toBe(elsewhere.id)
  for (const role of ['issuer', 'managed-issuer', 'verifier', 'dts-provider', 'dts-consumer', 'holder']) {
    expect(await (await service.as(role)).get('/v1/events')).toMatchObject({ status: 403 })
  }
  expect(await service.anonymous.get('/v1/events')).toMatchObject({ status: 401 })

  await eventsOf(await service.operator.get('/v1/users'))
  expect((await auditor.get(`/v1/events?requestIds=${seen.headers['x-request-id']}`)).body).toEqual({ data: [] })
  const { body } = await auditor.get('/v1/events?categories=ANALYTICS')
  expect(body).toEqual({ data: [] })
})

test('a rare event is found at once by any filter, and many events in bounded pages', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const event = (type: string, ms: number) => ({
    id: randomUUID(),
    requestId: randomUUID(),
    tenantId,
    type,
    category: type === 'USUAL' ? 'CUSTOM' : 'TEST',
    timestamp: new Date(Date.parse('2030-02-01') + ms).toISOString(),
    data: {},
  })
  const rare = { ...event('RARE', 0), category: 'SELDOM', clientId: 'seldom-seen', managementUserId: 'rare-user' }
  await service.deps.db.tx((tx) => insertEvents(tx, [rare]))
  for (let ms = 1; ms <= 12_000; ms += 1000) {
    const batch = Array.from({ length: 1000 }, (_, i) => event(i % 2 ? 'COMMON' : 'USUAL', ms + Math.floor(i / 4)))
    await service.deps.db.tx((tx) => insertEvents(tx, batch))
    await new Promise((resolve) => setTimeout(resolve)) // lets the connections of this process continue
  }
  for (let batch = 0; batch < 5; batch++) {
    const sameTime = Array.from({ length: 500 }, () => event('SAME_TIME', 0))
    await service.deps.db.tx((tx) => insertEvents(tx, sameTime))
  }
  const get = async (query: string) => (await operator.get(`/v1/events?dateFrom=2030-01-01&${query}`)).body
  const page = { data: [expect.objectContaining({ id: rare.id })] }
  for (const filter of [
    ...['types=RARE', 'categories=SELDOM', 'clientIds=seldom-seen', 'managementUserIds=rare-user'],
    ...[`ids=${rare.id}`, `requestIds=${rare.requestId}`, 'types=RARE&categories=SELDOM', 'types=RARE,NONE'],
    ...['types=RARE,COMMON,USUAL&categories=SELDOM', 'types=RARE&categories=SELDOM,TEST,CUSTOM'],
  ])
    expect(await get(filter), filter).toEqual(page)

  // All events of the second type have the same millisecond.
  for (const type of ['COMMON', 'SAME_TIME']) {
    let empty = await get(`types=${type}&categories=CUSTOM`)
    expect(empty).toEqual({ data: [], nextCursor: expect.any(String) })
    for (let pages = 1; empty.nextCursor; pages++) {
      expect(pages).toBeLessThan(5)
      empty = await get(`types=${type}&categories=CUSTOM&cursor=${empty.nextCursor}`)
      expect(empty.data).toEqual([])
    }
  }

  const path = '/v1/events?dateFrom=2030-01-01&types=RARE,COMMON,USUAL&limit=1000'
  const all = (await pagesOf<{ id: string; timestamp: string }>(operator, path)).flat()
  expect(new Set(all.map(({ id }) => id)).size).toBe(12_001)
  expect(all.at(-1)?.id).toBe(rare.id)
  const places = all.map(({ timestamp, id }) => timestamp + id)
  expect(places).toEqual(places.toSorted().reverse())
})

test('operations succeed while Redis is unreachable, and their events are stored', { tags: 'redis' }, async () => {
  const redis = await startRedis()
  const other = await startService({ redisUrl: redis.url })
  await redis.stop()
  const created = await other.operator.post('/v1/users', { claims: {} })
  const retrieved = await other.operator.get(`/v1/users/${created.body.id}`)
  expect([created.status, retrieved.status]).toEqual([201, 200])
  const [, createSuccess] = await eventsOf(created, other.operator)
  const [, retrieveSuccess] = await eventsOf(retrieved, other.operator)
  expect([createSuccess.type, retrieveSuccess.type]).toEqual(['USER_CREATE_SUCCESS', 'USER_RETRIEVE_SUCCESS'])

  const back = await startRedis({ port: Number(new URL(redis.url).port) })
  await other[Symbol.asyncDispose]()
  await back.stop()
})
