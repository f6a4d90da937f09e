import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, joinService, type SharedService, tokenOf } from '../../harness/harness.ts'
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
  async function get(headers: Record<string, string> = {}, query = '') {
    const sent = { host, authorization, accept: 'text/csv', ...headers }
    const url = `${service.origin}${path}/${id}/results${query}`
    const answer = await request(url, { headers: sent })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    }
  }
  return { operator, otherId, get }
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

test.each(['text/csv', 'application/jsonl'])(
  'results in %s continue after a row, and have one ETag until they change',
  async (accept) => {
    const { operator, otherId, get } = await newBulk(20)
    const whole = await get({ accept })
    const etag = String(whole.headers.etag)
    expect(etag).toMatch(/^"/)
    const lines = whole.bytes.toString().match(/[^\n]*\n/g) ?? []
    const rest = await get({ accept }, '?afterRow=12')
    expect([rest.headers.etag, rest.bytes.toString()]).toEqual([etag, lines.slice(-8).join('')])
    expect(await get({ accept, range: 'bytes=0-3' })).toMatchObject({ status: 200, bytes: whole.bytes })
    expect(await get({ accept, 'if-none-match': etag })).toMatchObject({ status: 304 })
    // No download was left open.
    for (let each = 0; each < 6; each++) expect(await get({ accept })).toMatchObject({ status: 200 })

    expect(await operator.delete(`/v1/users/${otherId}`)).toMatchObject({ status: 204 })
    const changed = await get({ accept }, '?afterRow=12')
    expect([changed.status, changed.headers.etag === etag]).toEqual([200, false])
  },
)

test('results have no ETag before the last row was issued', async () => {
  const { get } = await newBulk(3, { validateOnly: 'true' })
  const { status, headers } = await get()
  expect([status, headers.etag]).toEqual([200, undefined])
})
