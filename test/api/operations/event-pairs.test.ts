import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertEvents } from '../../../db/repos/operations/search/events.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Api } from '../../harness/api-client.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
let operator: Api
beforeAll(async () => {
  service = await joinService()
  operator = (await storedRequests()).operator
})
afterAll(() => service[Symbol.asyncDispose]())

interface Event {
  id: string
  type: string
  timestamp: string
  data: object
}

/** Recent, so that no row is old enough to be removed. */
const base = Date.now() - 3_600_000
const at = (seconds: number) => new Date(base + seconds * 1000)
const rangeOf = (from: number, to: number) => `dateFrom=${at(from).toISOString()}&dateTo=${at(to).toISOString()}`
const lastRange = rangeOf(-60, 60)

/** Stores three requests at the same time, an event without a start, and an event of an older version, which is a START of its own. */
async function storedRequests() {
  const tenant = await service.addTenant()
  const rows = [
    { type: 'A_SUCCESS', from: 0, to: 4 },
    { type: 'B_FAIL', from: 1, to: 3 },
    { type: 'A_FAIL', from: 2, to: 5 },
    { type: 'B_FAIL', from: undefined, to: 3 },
    { type: 'A_START', from: undefined, to: -1 },
  ].map(({ type, from, to }) => ({
    ...{ id: newOrderedId(at(to)), tenantId: tenant.id, type, category: 'TEST', requestId: randomUUID() },
    ...{ timestamp: at(to).toISOString(), data: { end: to } },
    ...(from !== undefined && { start: { timestamp: at(from).toISOString(), data: { start: from } } }),
  }))
  await service.deps.db.tx((tx) => insertEvents(tx, rows))
  return tenant
}

async function find(query: string): Promise<string[]> {
  const { status, body } = await operator.get(`/v1/events?${query}`)
  expect(status, query).toBe(200)
  return body.data.map(nameOf)
}

/** `A_START 0`: the type, and the seconds in the data. */
function nameOf({ type, data }: Event): string {
  return `${type} ${Object.values(data)}`
}

test('a row shows the end and the start of its request, each with its own id, time and data', async () => {
  const { body } = await operator.get(`/v1/events?${lastRange}&types=A_FAIL,A_START`)
  const end = body.data.find(({ type }: Event) => type === 'A_FAIL')
  const start = body.data.find(({ data }: { data: { start?: number } }) => data.start === 2)
  expect(end).toMatchObject({ timestamp: at(5).toISOString(), data: { end: 5 }, requestId: start.requestId })
  expect(start).toMatchObject({ type: 'A_START', timestamp: at(2).toISOString(), category: 'TEST' })
  expect(start.id).toMatch(/^[0-9a-f-]{36}$/)
  expect(start.id).not.toBe(end.id)
  for (const { id, data } of body.data) {
    expect((await operator.get(`/v1/events?ids=${id}`)).body.data).toMatchObject([{ id, data }])
  }
})

test('a page lists its events by their time, the newest first', async () => {
  expect(await find(lastRange)).toEqual([
    ...['A_FAIL 5', 'A_SUCCESS 4', 'B_FAIL 3', 'B_FAIL 3', 'A_START 2', 'B_START 1', 'A_START 0', 'A_START -1'],
  ])
})

test.each([
  ['types=A_START', ['A_START 2', 'A_START 0', 'A_START -1']],
  ['types=B_START,A_SUCCESS', ['A_SUCCESS 4', 'B_START 1']],
  ['types=B_FAIL', ['B_FAIL 3', 'B_FAIL 3']],
  ['types=A_START&categories=TEST', ['A_START 2', 'A_START 0', 'A_START -1']],
  ['types=A_START&categories=NONE', []],
])('a search for %s finds only these events of a row', async (query, names) => {
  expect(await find(`${lastRange}&${query}`)).toEqual(names)
})

test.each([
  [2, 4, ['A_SUCCESS 4', 'B_FAIL 3', 'B_FAIL 3', 'A_START 2']],
  [-1, 1, ['B_START 1', 'A_START 0', 'A_START -1']],
  [5, 9, ['A_FAIL 5']],
  [2.001, 2.999, []],
])('the dates %d to %d are compared with the time of each event', async (from, to, names) => {
  expect(await find(rangeOf(from, to))).toEqual(names)
})

test('a page has no room for rows whose events are all after the last date', async () => {
  expect(await find(`${rangeOf(-1, -1)}&limit=1`)).toEqual(['A_START -1'])
})

test.each([1, 2, 3, 5])('pages of %d list each event once', async (limit) => {
  const all = (await operator.get(`/v1/events?${lastRange}`)).body.data.map(({ id }: Event) => id)
  const listed: string[] = []
  let next = ''
  do {
    const { body } = await operator.get(`/v1/events?${lastRange}&limit=${limit}${next && `&cursor=${next}`}`)
    expect(body.data.length).toBeLessThanOrEqual(limit)
    listed.push(...body.data.map(({ id }: Event) => id))
    next = body.nextCursor
  } while (next)
  expect(listed).toHaveLength(all.length)
  expect(new Set(listed)).toEqual(new Set(all))
})
