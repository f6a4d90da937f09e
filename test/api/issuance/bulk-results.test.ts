import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { indexOf, partOf, type ResultPage } from '../../../api/issuance/bulk/result-parts.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, joinService, type SharedService, tokenOf } from '../../harness/harness.ts'
import { seededRandom } from '../../harness/seeded-random.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

const path = '/v1/bulk-issuances'
let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** A bulk issuance of so many rows that has ended, or whose first rows are issued. */
async function newBulk(count: number, fields: Record<string, string> = {}) {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const configurationId = await compactConfiguration(tenant)
  const { id: userId } = (await operator.post('/v1/users', { claims: {} })).body
  const { id: otherId } = (await operator.post('/v1/users', { claims: {} })).body
  const lines = Array.from({ length: count }, (_, at) => `${at + 1},Ada,${at === 1 ? otherId : userId}`)
  const file = csvFile(`number,given_name,user\n${lines.join('\n')}\n`)
  const of = bulkFields(configurationId, { userIdColumn: 'user', ...fields })
  const { id } = (await uploadTo(operator, path, ['file', file], ...of)).body
  await eventually(async () => ['done', 'ready'].includes((await operator.get(`${path}/${id}`)).body.state))
  const { host, clientId, clientSecret } = tenant
  const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
  async function get(
    headers: Record<string, string> = {},
    query = '',
    method: 'GET' | 'HEAD' = 'GET',
    signal?: AbortSignal,
  ) {
    const sent = { host, authorization, accept: 'text/csv', ...headers }
    const url = `${service.origin}${path}/${id}/results${query}`
    const answer = await request(url, { headers: sent, method, ...(signal && { signal }) })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    }
  }
  return { tenant, operator, id, otherId, get }
}

test.each([
  ['text/csv', 'people-results.csv'],
  ['application/jsonl', 'people-results.jsonl'],
])('the results in %s have a file name', async (accept, name) => {
  const { get } = await newBulk(2)
  const { headers } = await get({ accept })
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`)
  expect(headers['content-type']).toContain(accept)
})

describe('byte ranges of the results', () => {
  test.each(['text/csv', 'application/jsonl'])('of %s', async (accept) => {
    const { get } = await newBulk(450)
    const whole = await get({ accept })
    const size = whole.bytes.length
    expect([whole.status, whole.headers['accept-ranges'], whole.headers['content-range']]).toEqual([
      200,
      'bytes',
      undefined,
    ])
    const etag = String(whole.headers.etag)
    expect(etag).toMatch(/^"/)
    const ranges: [range: string, first: number, last: number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=10-99', 10, 99],
      [`bytes=${size - 50}-`, size - 50, size - 1],
      ['bytes=-20', size - 20, size - 1],
      [`bytes=100-${size + 100}`, 100, size - 1],
      ['bytes=0-', 0, size - 1],
    ]
    for (const [range, first, last] of ranges) {
      const part = await get({ accept, range, 'if-range': etag, 'accept-encoding': 'gzip' })
      expect([part.status, part.headers['content-range'], part.headers['content-length'], part.headers.etag]).toEqual([
        206,
        `bytes ${first}-${last}/${size}`,
        String(last - first + 1),
        etag,
      ])
      expect(part.bytes.equals(whole.bytes.subarray(first, last + 1)), range).toBe(true)
    }
    const beyond = await get({ accept, range: `bytes=${size}-` })
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`])
    for (const ignored of ['bytes=0-1,5-6', 'lines=0-1', 'bytes=9-3'])
      expect(await get({ accept, range: ignored })).toMatchObject({ status: 200 })
    expect(await get({ accept, 'if-none-match': etag })).toMatchObject({ status: 304 })
    const head = await get({ accept, range: 'bytes=0-0' }, '', 'HEAD')
    expect([head.status, head.headers['accept-ranges']]).toEqual([200, 'bytes'])
    // No download was left open.
    for (let each = 0; each < 6; each++)
      expect(await get({ accept, range: 'bytes=5-5' })).toMatchObject({ status: 206 })
  })

  test('are not possible after a row, nor for another tenant', async () => {
    const { get, id } = await newBulk(20)
    const part = await get({ range: 'bytes=0-30' }, '?afterRow=10')
    expect([part.status, part.headers['accept-ranges']]).toEqual([200, undefined])
    expect(part.bytes.toString().trim().split('\r\n')).toHaveLength(10)
    const other = await service.addTenant()
    expect(await other.operator.get(`${path}/${id}/results`, { range: 'bytes=0-1' })).toMatchObject({ status: 404 })
  })

  test('are not possible before the last row was issued', async () => {
    const { get } = await newBulk(3, { validateOnly: 'true' })
    const whole = await get({ range: 'bytes=0-3' })
    expect([whole.status, whole.headers['accept-ranges'], whole.headers.etag]).toEqual([200, undefined, undefined])
  })

  test('start from the beginning after the results have changed', async () => {
    const { operator, otherId, get } = await newBulk(3)
    const { headers } = await get()
    const asked = { range: 'bytes=0-3', 'if-range': String(headers.etag) }
    expect(await get(asked)).toMatchObject({ status: 206 })
    expect(await operator.delete(`/v1/users/${otherId}`)).toMatchObject({ status: 204 })
    const changed = await get(asked)
    expect([changed.status, changed.headers.etag === headers.etag]).toEqual([200, false])
    expect(changed.bytes.toString().trim().split('\r\n')).toHaveLength(3)
  })
})

describe('the first byte ranges of a table', () => {
  const count = 450

  /** Counts the results that are opened, each of which takes `eachMs`, and calls `atOpening` with each. */
  function countOpened(eachMs = 0, atOpening: () => unknown = () => {}) {
    const { secrets } = service.deps
    const { open } = secrets
    const spy = vi.spyOn(secrets, 'open').mockImplementation((sealed, context) => {
      const until = performance.now() + eachMs
      while (performance.now() < until);
      atOpening()
      return open(sealed, context)
    })
    onTestFinished(() => spy.mockRestore())
    return (id: string) => spy.mock.calls.filter(([, { place }]) => place.includes(id)).length
  }

  function countDownloads() {
    const { downloads } = service.deps
    const begin = downloads.begin.bind(downloads)
    const counts = { begun: 0, ended: 0 }
    const spy = vi.spyOn(downloads, 'begin').mockImplementation((tenantId) => {
      const end = begin(tenantId)
      counts.begun++
      return () => {
        counts.ended++
        end()
      }
    })
    onTestFinished(() => spy.mockRestore())
    return counts
  }

  test('read it once together', async () => {
    const { get, id } = await newBulk(count)
    const opened = countOpened()
    const parts = await Promise.all([0, 1, 2, 3].map((at) => get({ range: `bytes=${at}-${at}` })))
    expect(parts.map(({ status }) => status)).toEqual([206, 206, 206, 206])
    // Each then reads the page of its range.
    expect(opened(id)).toBeLessThanOrEqual(count + 4 * 200)
  })

  test('stop when their clients disconnect, and other downloads are possible then', async () => {
    const { get, id } = await newBulk(count)
    const closing = new AbortController()
    const downloads = countDownloads()
    const opened = countOpened(3, () => downloads.begun === 4 && closing.abort())
    const asked = [0, 1, 2, 3].map((at) => get({ range: `bytes=${at}-` }, '', 'GET', closing.signal))
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    await expect.poll(() => downloads.ended).toBe(4)
    expect(await get({ range: 'bytes=0-0' })).toMatchObject({ status: 206 })
    // This range reads the whole table again and then a page. If the first reading had continued, it would have used that one.
    const openedByLast = count + 200
    expect(opened(id)).toBeGreaterThan(openedByLast)
    expect(opened(id)).toBeLessThan(openedByLast + count)
  })

  test('go on for the clients that stay', async () => {
    const { get, id } = await newBulk(count)
    const closing = new AbortController()
    const opened = countOpened(3, () => closing.abort())
    const left = get({ range: 'bytes=0-' }, '', 'GET', closing.signal)
    const stays = get({ range: 'bytes=0-9' })
    await expect(left).rejects.toThrow()
    expect(await stays).toMatchObject({ status: 206 })
    expect(opened(id)).toBeLessThanOrEqual(count + 2 * 200)
  })
})

test('a range at the end reads only the pages near it', async () => {
  const random = seededRandom()
  const all = Array.from({ length: 95 }, (_, at): ResultPage => {
    return { after: at * 200, bytes: Buffer.from(`${at};`.repeat(Math.ceil(random() * 50))) }
  })
  let read = 0
  async function* pagesFrom({ after }: { after: number }) {
    for (const page of all) {
      if (page.after < after) continue
      read++
      yield page
    }
  }
  const whole = Buffer.concat(all.map(({ bytes }) => bytes))
  const index = await indexOf(pagesFrom({ after: 0 }))
  expect(index.lengthBytes).toBe(whole.length)
  for (let each = 0; each < 500; each++) {
    const [first = 0, last = 0] = [random(), random()].map((at) => Math.floor(at * whole.length)).sort((a, b) => a - b)
    const parts = await Array.fromAsync(partOf(index, { first, last }, pagesFrom))
    expect(Buffer.concat(parts).equals(whole.subarray(first, last + 1))).toBe(true)
  }
  read = 0
  await Array.fromAsync(partOf(index, { first: whole.length - 1, last: whole.length - 1 }, pagesFrom))
  expect(read).toBeLessThanOrEqual(10)
})
