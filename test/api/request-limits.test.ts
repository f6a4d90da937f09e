import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinService, type SharedService, tokenOf } from '../harness/harness.ts'

const configurations = '/v2/credentials/compact/configurations'

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

const headOf = (request: string, ...headers: string[]) =>
  [`${request} HTTP/1.1`, `Host: ${service.host}`, ...headers, '', ''].join('\r\n')
const form = 'Content-Type: application/x-www-form-urlencoded'

describe('a body over its limit', () => {
  const tokenRequest = (...headers: string[]) => headOf('POST /v1/oauth/token', form, ...headers)
  const next = () => headOf('GET /health/live', 'Connection: close')
  const chunksOf = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n0\r\n\r\n`

  test('in chunks keeps its connection open for the next request', async () => {
    const answers = await raw(tokenRequest('Transfer-Encoding: chunked') + chunksOf(300_000) + next())
    expect(answers).toMatch(/^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 /)
  })

  test('with a Content-Length keeps its connection open for the next request', async () => {
    const answers = await raw(tokenRequest('Content-Length: 300000') + 'x'.repeat(300_000) + next())
    expect(answers).toMatch(/^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 /)
  })

  test('without end closes its connection', async () => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    socket.write(tokenRequest('Transfer-Encoding: chunked'))
    let sent = 0
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const closed = new Promise((resolve) => socket.on('error', resolve).on('close', resolve))
    const sending = setInterval(() => {
      sent += 0x10000
      socket.write(chunk)
    }, 1)
    await closed
    clearInterval(sending)
    expect(sent).toBeGreaterThan(1_000_000)
    expect(sent).toBeLessThan(100_000_000)
  })

  test('with a very large Content-Length is refused at once', async () => {
    const answer = await raw(tokenRequest('Content-Length: 1000000000'))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/\r\nConnection: close\r\n/)
  })
})

describe('a duplicate singleton header is refused:', () => {
  const bearer = (token: string) => `Authorization: Bearer ${token}`
  const close = 'Connection: close'

  test('Authorization, even if one of them is valid', async () => {
    const { clientId, clientSecret, host } = service
    const token = await tokenOf(service.origin, host, clientId, clientSecret)
    expect(await raw(headOf(`GET ${configurations}`, bearer(token), close))).toMatch(/^HTTP\/1\.1 200 /)
    for (const two of [
      [bearer(token), bearer('other')],
      [bearer('other'), bearer(token)],
      [bearer(token), bearer(token)],
    ]) {
      const answer = await raw(headOf(`GET ${configurations}`, ...two, close))
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"param":"authorization","location":"headers"/)
    }
  })

  test.each([
    ['Authorization', '/v1/openid/credential', bearer('a'), 'AUTHORIZATION: DPoP b', 'invalid_credential_request'],
    ['Content-Type', '/v1/oauth/token', form, 'content-type: application/json', 'invalid_request'],
    ['Host', '/v1/oauth/token', form, 'Host: other.example', 'invalid_request'],
    ['DPoP', '/v1/oauth/token', 'DPoP: a.b.c', 'dpop: a.b.c', 'invalid_dpop_proof'],
  ])('%s at %s', async (_name, path, first, second, error) => {
    const body = 'grant_type=authorization_code'
    const type = first === form ? [] : [form]
    const answer = await raw(
      headOf(`POST ${path}`, first, second, ...type, `Content-Length: ${body.length}`, close) + body,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain(`{"error":"${error}",`)
    expect(answer).toMatch(/Must not be repeated|The DPoP proof is not acceptable/)
  })
})

describe('parameters', () => {
  test.each([1000, 1001])('of a form are limited to 1,000: %i', async (count) => {
    const answer = await service.anonymous.post('/v1/oauth/token', new URLSearchParams('a&'.repeat(count)))
    const problem = count > 1000 ? 'Must not have more than 1000 parameters' : 'grant_type'
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(answer.body.error_description).toContain(problem)
  })

  test.each([1000, 1001])('of a query are limited to 1,000: %i', async (count) => {
    const answer = await service.operator.get(`${configurations}?${'a&'.repeat(count)}`)
    if (count <= 1000) expect(answer).toMatchObject({ status: 200 })
    else expect(answer).toMatchObject({ status: 400, body: { details: [{ location: 'query' }] } })
  })
})

test('a validation error lists the first 100 details and the beginning of long names', async () => {
  const mappings = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`claim${i}`, 0]))
  const many = await service.operator.post(configurations, { claimMappings: mappings })
  expect(many).toMatchObject({ status: 400, body: { message: 'Validation Error' } })
  expect(many.body.details).toHaveLength(100)
  const long = await service.operator.post(configurations, { claimMappings: { ['x'.repeat(90_000)]: 0 } })
  expect(long.body.details).toHaveLength(1)
  expect(long.body.details[0].param).toMatch(/^claimMappings\.x{486}$/)
})
