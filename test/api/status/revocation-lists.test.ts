import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createCaches } from '../../../api/process/caches.ts'
import { answerList, publishedListsCache } from '../../../api/status/revocation-lists/published.ts'
import { type StatusListKind, statusLists } from '../../../db/tables/status/lists.ts'
import { publishedLists } from '../../../db/tables/status/published-lists.ts'
import { plusMs } from '../../../shared/clock.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
let otherTenant: TestTenant
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'analytics'] })
  otherTenant = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Stored {
  id: string
  content: Buffer
}

const realNow = performance.now.bind(performance)

/** Moves the clock of the caches forward until the end of the test. */
async function ageCaches(ms: number): Promise<void> {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)
  onTestFinished(async () => {
    clock.mockRestore()
    await untilReadAgain()
  })
  await untilReadAgain()
}

/** A cache reads the clock once in a millisecond. Timers end in the order of their times. */
const untilReadAgain = () => sleep(2)

let number = 0

/** Stores a list like the signing process. Its content does not matter here. */
async function store(
  kind: StatusListKind,
  { tenantId = service.id, content = randomBytes(2_000), expiresInMs = undefined as number | undefined } = {},
): Promise<Stored> {
  const id = await storeUnpublished(kind, tenantId)
  const issuedAt = service.deps.clock.now()
  const expiresAt = expiresInMs === undefined ? null : plusMs(issuedAt, expiresInMs)
  await service.deps.db.tx((tx) =>
    tx.insert(publishedLists).values({ listId: id, tenantId, version: 1, content, issuedAt, expiresAt }),
  )
  return { id, content }
}

async function storeUnpublished(kind: StatusListKind, tenantId = service.id): Promise<string> {
  const id = randomUUID()
  const createdAt = plusMs(service.deps.clock.now(), ++number)
  const row = { id, tenantId, kind, number, size: 1_000_000, taken: 0, permutationKey: '', createdAt }
  await service.deps.db.tx((tx) => tx.insert(statusLists).values(row))
  return id
}

async function publishAgain(id: string, content: Buffer): Promise<void> {
  const next = { version: 2, content, issuedAt: plusMs(service.deps.clock.now(), 1) }
  await service.deps.db.tx((tx) => tx.update(publishedLists).set(next).where(eq(publishedLists.listId, id)))
}

const gzip = { 'accept-encoding': 'gzip' }

async function read(kind: StatusListKind, id: string, headers: Record<string, string> = {}) {
  // Does not use fetch, because fetch adds Cache-Control: no-cache to a request with If-None-Match.
  const url = `${service.origin}/v2/credentials/${kind}/revocation-lists/${id}`
  const { statusCode: status, headers: responseHeaders, body } = await request(url, { headers })
  return { status, headers: responseHeaders, bytes: Buffer.from(await body.arrayBuffer()) }
}

describe.each(['compact', 'compact-semantic'] as const)('the %s revocation lists', (kind) => {
  const path = `/v2/credentials/${kind}/revocation-lists`

  test('are public: the published lists of this kind and tenant, as a page in an array', async () => {
    const { id: tenantId, did, baseUrl, anonymous } = await service.addTenant()
    const first = await store(kind, { tenantId })
    await storeUnpublished(kind, tenantId)
    await store(kind === 'compact' ? 'compact-semantic' : 'compact', { tenantId })
    await store(kind)
    const second = await store(kind, { tenantId })
    const viewOf = ({ id }: Stored) => ({ id, issuer: did, url: `${baseUrl}${path}/${id}` })

    const { status, headers, body } = await anonymous.get(path)
    expect({ status, body }).toEqual({ status: 200, body: [{ data: [first, second].map(viewOf) }] })
    expect(headers['access-control-allow-origin']).toBe('*')

    const [page] = (await anonymous.get(`${path}?limit=1`)).body
    expect(page).toEqual({ data: [viewOf(first)], nextCursor: expect.any(String) })
    const rest = await anonymous.get(`${path}?limit=1&cursor=${page.nextCursor}`)
    expect(rest.body).toEqual([{ data: [viewOf(second)] }])
    expect((await anonymous.get(`${path}?limit=0`)).status).toBe(400)
  })

  test('are served unchanged, for every origin, with a max-age of a minute', async () => {
    const { id, content } = await store(kind, { expiresInMs: 3_600_000 })
    const { status, headers, bytes } = await read(kind, id)
    expect(status).toBe(200)
    expect(bytes.equals(content)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'application/cwt',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"1-\d+"$/),
    })
    const preflight = await fetch(`${service.origin}${path}/${id}`, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET')
  })
})

test('a web semantic list is served as unchanged JSON', async () => {
  const content = Buffer.from('{"id":"a",  "credentialSubject":{}}')
  const { id } = await store('web-semantic', { content })
  const { status, headers, bytes } = await read('web-semantic', id)
  expect([status, headers['content-type'], bytes.toString()]).toEqual([
    200,
    'application/json; charset=utf-8',
    content.toString(),
  ])
  expect(headers['cache-control']).toBe('public, max-age=60')
})

test('a web semantic list is compressed with gzip on request, once per version', async () => {
  const content = Buffer.from(JSON.stringify({ credentialSubject: { encodedList: 'H4sI'.repeat(1_000) } }))
  const { id } = await store('web-semantic', { content })
  const [plain, packed] = [await read('web-semantic', id), await read('web-semantic', id, gzip)]
  expect([plain.headers['content-encoding'], plain.bytes.equals(content)]).toEqual([undefined, true])
  expect([packed.headers['content-encoding'], gunzipSync(packed.bytes).equals(content)]).toEqual(['gzip', true])
  expect(packed.bytes.length).toBeLessThan(content.length / 2)
  expect([plain.headers.vary, packed.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding'])
  const condition = { ...gzip, 'if-none-match': String(packed.headers.etag) }
  expect((await read('web-semantic', id, condition)).status).toBe(304)

  const query = { tenantId: service.id, kind: 'web-semantic', param: 'id', id } as const
  const packedNow = async () => (await answerList(service.deps, query)).gzipped?.()
  const first = await packedNow()
  // The list was read again in the meantime.
  await ageCaches(600)
  await read('web-semantic', id, gzip)
  expect(await packedNow()).toBe(first)
  const next = Buffer.from('{"next":true}')
  await publishAgain(id, next)
  await ageCaches(1_600)
  expect(gunzipSync((await read('web-semantic', id, gzip)).bytes).equals(next)).toBe(true)
  expect((await read('compact', (await store('compact')).id, gzip)).headers).not.toHaveProperty('content-encoding')
})

test('the max-age of a list ends with its validity, and the answer for an expired list is not cached', async () => {
  const cachingOf = async (expiresInMs: number) => {
    const { headers } = await read('compact', (await store('compact', { expiresInMs })).id)
    return headers['cache-control']
  }
  expect(await cachingOf(30_000)).toMatch(/^public, max-age=([1-9]|[12]\d|30)$/)
  expect(await cachingOf(-30_000)).toBe('no-store')
})

test('a reader with the newest version receives 304, and the next version within a second', async () => {
  const { id } = await store('compact')
  const first = await read('compact', id)
  const condition = { 'if-none-match': String(first.headers.etag) }
  const unchanged = await read('compact', id, condition)
  expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0])
  expect(unchanged.headers).toMatchObject({
    etag: condition['if-none-match'],
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
  })

  const content = randomBytes(500)
  await publishAgain(id, content)
  await ageCaches(1_000)
  const changed = await read('compact', id, condition)
  expect([changed.status, changed.bytes.equals(content)]).toEqual([200, true])
  expect(changed.headers.etag).not.toBe(condition['if-none-match'])
})

test('an unknown list, a list of another kind or tenant and an invalid id answer 404', async () => {
  const [ofOthers, semantic, unpublished] = await Promise.all([
    store('compact', { tenantId: otherTenant.id }),
    store('compact-semantic'),
    storeUnpublished('compact'),
  ])
  const unknown = [ofOthers.id, semantic.id, unpublished, randomUUID(), 'none', 'a%20b']
  const answers = await Promise.all(unknown.map((id) => read('compact', id)))
  expect(answers.map(({ status }) => status)).toEqual(unknown.map(() => 404))
  expect((await read('web-semantic', semantic.id)).status).toBe(404)
  // The host of the other tenant serves it.
  const path = `/v2/credentials/compact/revocation-lists/${ofOthers.id}`
  expect((await otherTenant.anonymous.get(path)).status).toBe(200)
})

test('concurrent reads of a list query the database once', async () => {
  const { id, content } = await store('compact')
  let queries = 0
  const counting = new Proxy(service.deps.db.read, {
    get(target, name) {
      if (name === 'select') queries++
      return Reflect.get(target, name, target)
    },
  })
  const lists = createCaches().of(publishedListsCache)
  const context = { db: counting, tenantId: service.id, kind: 'compact', id } as const
  const results = await Promise.all(Array.from({ length: 200 }, () => lists.fetch('one', { context })))
  expect(results.every((list) => list?.content.equals(content))).toBe(true)
  expect((await lists.fetch('one', { context }))?.version).toBe(1)
  expect(queries).toBe(1)
})

/** Reads a list so often that its next reads are aggregated (api/analytics/anonymous-event-aggregator.ts). */
async function readManyTimes({ id }: Stored, { anonymous }: Pick<TestTenant, 'anonymous'>): Promise<void> {
  const path = `/v2/credentials/compact/revocation-lists/${id}`
  for (let n = 0; n < 30; n++) expect((await anonymous.get(path)).status).toBe(200)
}

test('aggregated readers receive the next version within a second and do not cache a list beyond its validity', async () => {
  const list = await store('compact', { expiresInMs: 3_600_000 })
  await readManyTimes(list, service)
  const content = randomBytes(500)
  await publishAgain(list.id, content)
  await ageCaches(1_000)
  expect((await read('compact', list.id)).bytes.equals(content)).toBe(true)

  await readManyTimes(list, service)
  service.clock.advance(3_600_000 - 60_000)
  expect((await read('compact', list.id)).headers['cache-control']).toMatch(/^public, max-age=([1-9]|[1-5]\d)$/)
})

test('a cached answer is used for half a second or until the list expires', async () => {
  const query = { tenantId: service.id, kind: 'compact', param: 'id' } as const
  const answer = async () =>
    answerList(service.deps, { ...query, id: (await store('compact', { expiresInMs: 65_000 })).id })
  const aged = await answer()
  expect(aged.freshWhile?.()).toBe(true)
  await ageCaches(550)
  expect(aged.freshWhile?.()).toBe(false)

  const late = await answer()
  service.clock.advance(20_000)
  expect(late.freshWhile?.()).toBe(false)
})

test('aggregated readers receive the same answers as the first, with their own request ids', async () => {
  const list = await store('compact', { expiresInMs: 3_600_000 })
  const first = await read('compact', list.id)
  const condition = { 'if-none-match': String(first.headers.etag) }
  const firstKnown = await read('compact', list.id, condition)
  await readManyTimes(list, service)
  const common = ({ status, headers, bytes }: typeof first) => {
    const { 'x-request-id': _, date: __, ...others } = headers
    return { status, headers: others, bytes: bytes.toString('hex') }
  }
  const [one, other] = [await read('compact', list.id), await read('compact', list.id)]
  expect([one, other].map(common)).toEqual([first, first].map(common))
  expect(one.headers['x-request-id']).not.toBe(other.headers['x-request-id'])
  expect(common(await read('compact', list.id, condition))).toEqual(common(firstKnown))
})

test('aggregated reads at one host do not give access at another host', async () => {
  const list = await store('compact', { tenantId: otherTenant.id })
  await readManyTimes(list, otherTenant)
  expect((await read('compact', list.id)).status).toBe(404)
})

test('aggregated reads count against the rate limit, each once', async () => {
  // The sign-in of the client counts too.
  const { id: tenantId, anonymous } = await service.addTenant({ limits: { anonymousPerMinute: 41 } })
  const { id } = await store('compact', { tenantId })
  const statuses: number[] = []
  for (let n = 0; n < 50; n++) {
    statuses.push((await anonymous.get(`/v2/credentials/compact/revocation-lists/${id}`)).status)
  }
  expect(statuses).toEqual([...Array(40).fill(200), ...Array(10).fill(429)])
})

test('events of reads contain the number of lists of a page, or the id of the list', async () => {
  const { id: tenantId, anonymous, as } = await service.addTenant()
  const { id } = await store('compact-semantic', { tenantId })
  const path = '/v2/credentials/compact-semantic/revocation-lists'
  const answers = [await anonymous.get(path), await anonymous.get(`${path}/${id}`)]
  const requestIds = answers.map(({ headers }) => headers['x-request-id'])
  const auditor = await as('auditor')
  const events = await eventually(async () => {
    const { body } = await auditor.get(`/v1/events?requestIds=${requestIds.join(',')}`)
    return body.data.length === 4 && body.data
  })
  const dataByType = Object.fromEntries(events.map(({ type, data }: { type: string; data: object }) => [type, data]))
  expect(dataByType).toEqual({
    CREDENTIAL_COMPACT_SEMANTIC_REVOCATION_LISTS_RETRIEVE_START: { limit: 100 },
    CREDENTIAL_COMPACT_SEMANTIC_REVOCATION_LISTS_RETRIEVE_SUCCESS: { entriesCount: 1 },
    CREDENTIAL_COMPACT_SEMANTIC_REVOCATION_RETRIEVE_START: { id },
    CREDENTIAL_COMPACT_SEMANTIC_REVOCATION_RETRIEVE_SUCCESS: { id },
  })
})

test.each(['compact', 'compact-semantic'] as const)('an expired %s list answers 410', async (kind) => {
  const { id } = await store(kind, { expiresInMs: 90_000 })
  const lasting = await store('web-semantic')
  expect(await read(kind, id)).toMatchObject({ status: 200 })
  service.clock.advance(91_000)
  expect(await read(kind, id)).toMatchObject({ status: 410 })
  expect(await read('web-semantic', lasting.id)).toMatchObject({ status: 200 })
})

test('many reads of a list leave a few events with counts', async () => {
  const { id: tenantId, anonymous, as } = await service.addTenant()
  const lists = [await store('compact', { tenantId }), await store('compact', { tenantId })]
  const readings = 50
  for (const { id } of lists) {
    for (let n = 0; n < readings; n++) await anonymous.get(`/v2/credentials/compact/revocation-lists/${id}`)
  }
  service.clock.advance(60_000)
  await anonymous.get(`/v2/credentials/compact/revocation-lists/${lists[0]?.id}`)
  const auditor = await as('auditor')
  const events = await eventually(async () => {
    const types = 'CREDENTIAL_COMPACT_REVOCATION_RETRIEVE_SUCCESS'
    const { data }: { data: { data: { id: string; count?: number } }[] } = (
      await auditor.get(`/v1/events?limit=1000&types=${types}`)
    ).body
    const numberOf = ({ id }: Stored) =>
      data.filter((event) => event.data.id === id).reduce((sum, event) => sum + (event.data.count ?? 1), 0)
    return lists.reduce((sum, list) => sum + numberOf(list), 0) === 2 * readings + 1 && data
  })
  // 20 events per list, or twice that if a minute ended in between.
  expect(events.length).toBeLessThan(2 * readings)
  expect(Math.max(...events.map(({ data }) => data.count ?? 0))).toBeGreaterThan(1)
})
