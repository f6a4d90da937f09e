import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinService, type SharedService } from '../harness/harness.ts'

const path = '/v2/credentials/compact/configurations'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Sends raw bytes and returns all bytes until the connection ends. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  socket.write(text)
  return (await socket.setEncoding('utf8').toArray()).join('')
}

describe('a body', () => {
  const deep = `${'['.repeat(65)}${']'.repeat(65)}`

  test.each([
    ['a member twice', '{"type":"a","type":"b","claimMappings":{}}', 'type'],
    [
      'a nested member twice',
      '{"claimMappings":{"a":{"mapFrom":"claims.a","mapFrom":"claims.b"}}}',
      'claimMappings.a.mapFrom',
    ],
    ['the same member in other letters', '{"type":"a","\\u0074ype":"b","claimMappings":{}}', 'type'],
    ['__proto__', '{"claimMappings":{},"__proto__":{"type":"x"}}', '__proto__'],
    ['a nested __proto__', '{"claimMappings":{"__proto__":{"defaultValue":"x"}}}', 'claimMappings.__proto__'],
    ['a lone surrogate', '{"type":"\\ud800","claimMappings":{}}', 'type'],
    ['a lone surrogate in a name', '{"claimMappings":{"\\udc00":{"defaultValue":"x"}}}', 'claimMappings.\ufffd'],
    ['U+0000', '{"type":"a\\u0000","claimMappings":{}}', 'type'],
    ['U+0000 in a name', '{"claimMappings":{"\\u0000":{"defaultValue":"x"}}}', 'claimMappings.\0'],
    ['too many levels', `{"claimMappings":{},"x":${deep}}`, 'x.0.0'],
    ['infinity', '{"claimMappings":{},"x":1e400}', 'x'],
    ['an integer beyond doubles', '{"claimMappings":{},"x":[12345678901234567890]}', 'x.0'],
    ['the first integer that doubles cannot represent exactly', '{"claimMappings":{},"x":9007199254740992}', 'x'],
    ['the same integer below zero', '{"claimMappings":{},"x":[-9007199254740992]}', 'x.0'],
    ['the same integer with white space', '{"claimMappings": {}, "x": 9007199254740992}', 'x'],
  ])('with %s is refused with the name of the member, and nothing is stored', async (_what, body, param) => {
    const tenant = await service.addTenant()
    expect(await tenant.operator.post(path, body)).toMatchObject({
      status: 400,
      body: { code: 'BadRequest', message: 'Validation Error', details: [{ param, location: 'body' }] },
    })
    expect((await tenant.operator.get(path)).body).toEqual({ data: [] })
  })

  test.each([
    '{"claimMappings":{},"x":9007199254740991}',
    '{"claimMappings":{}, "x":-9007199254740991}',
    '{"claimMappings":{},"x":1e21}',
    '{"claimMappings":{}, "x":"90071992547409920"}',
  ])('%s is accepted', async (body) => {
    expect(await service.operator.post(path, body)).toMatchObject({ status: 201 })
  })

  test.each([
    ['invalid JSON', '{"a":'],
    ['two JSON values', '{} {}'],
    ['a comment', '{} // text'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('with %s is refused', async (_what, body) => {
    expect(await service.operator.post(path, body)).toMatchObject({ status: 400, body: { code: 'BadRequest' } })
  })

  test.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"text"'],
  ])('with %s is refused as a whole', async (_what, body) => {
    const answer = await service.operator.post(path, body)
    expect(answer).toMatchObject({ status: 400, body: { message: 'Validation Error' } })
    expect(answer.body.details).toHaveLength(1)
  })

  test.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/jsonp', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('of type %s %j is refused', async (mediaType, headers) => {
    const answer = await service.operator.post(path, '{"claimMappings":{}}', { 'content-type': mediaType, ...headers })
    expect(answer).toMatchObject({ status: 415, body: { code: 'UnsupportedMediaType' } })
  })

  test('can name its charset in upper or lower case', async () => {
    const mediaType = 'Application/JSON; charset=utf-8'
    expect(await service.operator.post(path, '{"claimMappings":{}}', { 'content-type': mediaType })).toMatchObject({
      status: 201,
    })
  })

  test('over 100 KB is refused, even without Content-Length', async () => {
    const body = JSON.stringify({ claimMappings: {}, filling: 'x'.repeat(100_000) })
    expect(await service.operator.post(path, body)).toMatchObject({ status: 413, body: { code: 'PayloadTooLarge' } })
    const token = await service.anonymous.post('/oauth/token', {
      client_id: service.clientId,
      client_secret: service.clientSecret,
      grant_type: 'client_credentials',
    })
    const head = `POST ${path} HTTP/1.1\r\nHost: ${service.host}\r\nAuthorization: Bearer ${token.body.access_token}\r\n`
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const type = 'Content-Type: application/json\r\nConnection: close\r\n'
    expect(await raw(`${head}${type}Transfer-Encoding: chunked\r\n\r\n${chunk}`)).toMatch(/^HTTP\/1.1 413 /)
  })

  test('of just less than 100 KB is accepted', async () => {
    const body = JSON.stringify({ claimMappings: {}, filling: 'x'.repeat(99_900) })
    expect(await service.operator.post(path, body)).toMatchObject({ status: 201 })
  })
})

describe('a query', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${Buffer.from('[1,"a","b"]').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('[1e300,"a"]').toString('base64url')}`, 'cursor'],
    ['type=a&type=b', 'type'],
    ['type=%00', 'type'],
  ])('%s is refused with the name of the parameter', async (query, param) => {
    expect(await service.operator.get(`${path}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'BadRequest', details: [{ param, location: 'query' }] },
    })
  })

  test('can have unknown parameters', async () => {
    expect(await service.operator.get(`${path}?limit=1000&__proto__=x&unknown=1&unknown=2`)).toMatchObject({
      status: 200,
    })
  })
})

describe('a path', () => {
  test.each(['/v3/users', `${path}/`, path.toUpperCase(), `/${path}`, `${path}/a/b`, '/V1/tenants'])(
    '%s answers 404',
    async (unknown) => {
      expect(await service.operator.get(unknown)).toMatchObject({
        status: 404,
        body: { code: 'NotFound', message: expect.stringMatching(/^There is no operation GET /) },
      })
    },
  )

  test.each([`${path}/%`, `${path}/%zz`, `${path}/%ff`, `${path}/%00`, '/%c0%ae'])(
    '%s is refused because it cannot be decoded',
    async (bad) => {
      expect(await service.operator.get(bad)).toMatchObject({
        status: 400,
        body: { code: 'BadRequest', details: [{ location: 'params' }] },
      })
    },
  )

  test('answers 405 with the allowed methods to another method', async () => {
    const refused = await service.operator.put('/v1/claim-sources', {})
    expect(refused).toMatchObject({ status: 405, body: { code: 'MethodNotAllowed' } })
    expect(String(refused.headers.allow).split(', ').sort()).toEqual(['GET', 'HEAD', 'POST'])
  })

  test('answers HEAD like GET, without a body', async () => {
    const head = await service.operator.send('HEAD', path)
    const get = await service.operator.get(path)
    expect(head).toMatchObject({ status: 200, body: undefined })
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })
})

test('every answer contains a request id and the version of the interface', async () => {
  const { operator, anonymous } = service
  const answers = await Promise.all([
    operator.get(path),
    operator.post(path, '{'),
    operator.put(path, {}),
    operator.get('/nowhere'),
    operator.get('/%'),
    anonymous.get(path),
    (await service.as('auditor')).get(path),
    anonymous.get('/health/live'),
    anonymous.get('/docs/page.css'),
    anonymous.get(path, { host: 'unknown.example' }),
  ])
  const ids = answers.map(({ headers }) => String(headers['x-request-id']))
  for (const id of ids) expect(id).toMatch(uuid)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { headers } of answers) {
    expect(headers).toMatchObject({ 'x-api-version': '12.22.0', 'x-content-type-options': 'nosniff' })
  }
})

test('an unknown host serves only the operations of all hosts', async () => {
  const host = { host: 'unknown.example' }
  expect(await service.operator.get(path, host)).toMatchObject({ status: 404, body: { code: 'NotFound' } })
  expect(await service.anonymous.get('/health/live', host)).toMatchObject({
    status: 200,
    body: { status: 'ok', apiVersion: '12.22.0', managementApiVersion: '1.36.0' },
  })
})

test('an invalid HTTP request is refused, and the service continues', async () => {
  expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  expect(await raw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /)
  expect(await service.anonymous.get('/health/live')).toMatchObject({ status: 200 })
})
