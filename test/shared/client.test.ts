import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  createTrustwright,
  dataOf,
  ignoredFieldsOf,
  itemsOf,
  TrustwrightError,
  waitFor,
} from '../../shared/client/client.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../harness/harness.ts'
import { bulkFields, csvFile } from '../harness/uploads.ts'
import { startReceiver } from '../servers/receiver.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** A request that the client sends, and an answer in its place or undefined for the real one. */
type Intercept = (request: Request) => Response | Promise<Response | undefined> | undefined

/** Creates a client of the tenant, and records its requests. */
function newClient(
  intercept: Intercept = () => undefined,
  options: { clientSecret?: string; maxRetryMs?: number } = {},
) {
  const { clientId, clientSecret, origin, host } = service
  const sent: Request[] = []
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    sent.push(request.clone())
    // The host of the tenant is an address of this machine under another name.
    return (await intercept(request)) ?? fetch(request)
  }
  expect(origin).toContain(host)
  const client = createTrustwright({ baseUrl: origin, clientId, clientSecret, fetch: send, ...options })
  return { client, sent }
}

const pathsOf = (sent: Request[]) => sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
const failure = (status: number, headers = {}) =>
  Response.json({ code: 'Failed', message: 'Failed' }, { status, headers })

test('the client requests one token for many requests', async () => {
  const { client, sent } = newClient()
  const lists = await Promise.all([client.GET('/v1/users'), client.GET('/v1/webhooks'), client.GET('/v1/dids')])
  expect(lists.map(({ response }) => response.status)).toEqual([200, 200, 200])
  await client.GET('/v1/users')
  expect(pathsOf(sent).filter((path) => path === 'POST /oauth/token')).toHaveLength(1)
})

test('the members that the service does not know are available', async () => {
  const { client } = newClient()
  const body = { claims: {}, lable: 'x', 'a b': 1 }
  const { response } = await client.POST('/v1/users', { body })
  expect([response.status, ignoredFieldsOf(response)]).toEqual([201, ['lable', 'a?']])
  expect(ignoredFieldsOf((await client.GET('/v1/users')).response)).toEqual([])
})

test('a token that the service refuses is replaced once', async () => {
  let refused = 0
  const { client, sent } = newClient(({ url }) =>
    url.endsWith('/v1/users') && refused++ === 0 ? failure(401) : undefined,
  )
  expect((await client.GET('/v1/users')).response.status).toBe(200)
  const tokens = () => pathsOf(sent).filter((path) => path === 'POST /oauth/token')
  expect(tokens()).toHaveLength(2)
  const { client: never, sent: asked } = newClient(({ url }) => (url.endsWith('/v1/users') ? failure(401) : undefined))
  expect((await never.GET('/v1/users')).response.status).toBe(401)
  expect(pathsOf(asked).filter((path) => path === 'GET /v1/users')).toHaveLength(2)
})

test('a wrong secret is an error with the message of the service, and the next request tries again', async () => {
  const { client, sent } = newClient(undefined, { clientSecret: 'wrong' })
  for (let time = 1; time <= 2; time++) {
    await expect(client.GET('/v1/users')).rejects.toMatchObject({
      name: 'TrustwrightError',
      status: 401,
      code: 'access_denied',
    })
    expect(sent).toHaveLength(time)
  }
})

test.each([
  [429, { 'Retry-After': '0' }],
  [503, {}],
])('a token request that is refused with %i is repeated', async (status, headers) => {
  let answers = 0
  const { client, sent } = newClient(({ url }) =>
    url.endsWith('/oauth/token') && answers++ < 2 ? failure(status, headers) : undefined,
  )
  expect((await client.GET('/v1/users')).response.status).toBe(200)
  expect(pathsOf(sent)).toEqual([...Array(3).fill('POST /oauth/token'), 'GET /v1/users'])
  const busy = newClient(({ url }) =>
    url.endsWith('/oauth/token') ? failure(503, { 'Retry-After': '60' }) : undefined,
  )
  await expect(busy.client.GET('/v1/users')).rejects.toMatchObject({ name: 'TrustwrightError', status: 503 })
  expect(busy.sent).toHaveLength(1)
})

test('a lost connection of a token request is repeated', async () => {
  let isLost = true
  const { client, sent } = newClient(({ url }) => {
    if (!isLost || !url.endsWith('/oauth/token')) return undefined
    isLost = false
    throw new TypeError('connection lost')
  })
  expect((await client.GET('/v1/users')).response.status).toBe(200)
  expect(pathsOf(sent)).toEqual(['POST /oauth/token', 'POST /oauth/token', 'GET /v1/users'])
})

test('a POST has a key, and a repetition after a lost answer creates nothing twice', async () => {
  let isLost = true
  const { client, sent } = newClient(async (request) => {
    if (!isLost || !request.url.endsWith('/v1/users')) return undefined
    isLost = false
    await fetch(request)
    throw new TypeError('connection lost')
  })
  const { id } = await dataOf(client.POST('/v1/users', { body: { claims: { given_name: 'Once' } } }))
  const [first, second] = sent.filter(({ url }) => url.endsWith('/v1/users'))
  expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'))
  const users = await dataOf(client.POST('/v1/users/search', { body: { claims: { given_name: 'Once' } } }))
  expect(users.data.map((user) => user.id)).toEqual([id])
})

test('an upload is repeated after a lost answer, and is stored once', async () => {
  const configurationId = await compactConfiguration(service)
  const file = csvFile()
  let isLost = true
  const { client, sent } = newClient(async (request) => {
    if (!isLost || !request.url.endsWith('/v1/bulk-issuances')) return undefined
    isLost = false
    expect((await fetch(request)).status).toBe(202)
    throw new TypeError('connection lost')
  })
  const form = new FormData()
  for (const [name, value] of [...bulkFields(configurationId), ['file', file] as const]) form.append(name, value)
  // Boundary: the generated type of a form has no `FormData`.
  const { id } = await dataOf(client.POST('/v1/bulk-issuances', { body: form as never, bodySerializer: () => form }))
  expect(sent.filter(({ url }) => url.endsWith('/v1/bulk-issuances'))).toHaveLength(2)
  const { data } = await dataOf(client.GET('/v1/bulk-issuances'))
  expect(data.map((bulk) => bulk.id)).toEqual([id])
})

test.each([
  [429, { 'Retry-After': '0' }, 2],
  [503, {}, 2],
  [409, { 'Retry-After': '0' }, 2],
  [409, {}, 1],
  [500, {}, 1],
])('an answer %i with %o makes %i requests', async (status, headers, count) => {
  let answers = 0
  const { client, sent } = newClient(({ url }) =>
    url.endsWith('/v1/users') && answers++ === 0 ? failure(status, headers) : undefined,
  )
  const { response } = await client.GET('/v1/users')
  expect(response.status).toBe(count === 2 ? 200 : status)
  expect(pathsOf(sent).filter((path) => path === 'GET /v1/users')).toHaveLength(count)
})

test('requests are sent in Firefox, where the body of a Request is undefined', async () => {
  const { client, sent } = newClient()
  const body = vi.spyOn(Request.prototype, 'body', 'get').mockReturnValue(undefined as never)
  try {
    expect((await client.GET('/v1/users')).response.status).toBe(200)
    const { id } = await dataOf(client.POST('/v1/users', { body: { claims: { given_name: 'Ada' } } }))
    expect((await client.DELETE('/v1/users/{id}', { params: { path: { id } } })).response.status).toBe(204)
  } finally {
    body.mockRestore()
  }
  expect(pathsOf(sent).filter((path) => path.endsWith('/v1/users'))).toEqual(['GET /v1/users', 'POST /v1/users'])
})

test('a POST is sent from a page without TLS, where browsers have no randomUUID', async () => {
  const { client, sent } = newClient()
  const uuid = vi.spyOn(globalThis.crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  try {
    await dataOf(client.POST('/v1/users', { body: { claims: { given_name: 'Ada' } } }))
  } finally {
    uuid.mockRestore()
  }
  expect(sent.at(-1)?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/)
})

test('a pause that is longer than the limit is not waited for', async () => {
  const busy = newClient(({ url }) => (url.endsWith('/v1/users') ? failure(503, { 'Retry-After': '60' }) : undefined))
  expect((await busy.client.GET('/v1/users')).response.status).toBe(503)
  const lost = newClient(
    ({ url }) => {
      if (url.endsWith('/v1/users')) throw new TypeError('connection lost')
      return undefined
    },
    { maxRetryMs: 0 },
  )
  await expect(lost.client.GET('/v1/users')).rejects.toThrow('connection lost')
})

test('an error response is an error with code, fields and request id', async () => {
  const { client } = newClient()
  const refused = await dataOf(client.POST('/v1/webhooks', { body: { events: [], url: 'no URL' } })).catch(
    (error) => error,
  )
  expect(refused).toBeInstanceOf(TrustwrightError)
  expect(refused).toMatchObject({ status: 400, code: 'BadRequest', details: [{}, {}] })
  expect(refused.message).toContain('url: ')
  expect(refused.requestId).toMatch(/^[\w-]{36}$/)
})

test('a list is read page by page', async () => {
  const { client } = newClient()
  const made: string[] = []
  for (let each = 0; each < 5; each++) made.push((await dataOf(client.POST('/v1/users', { body: { claims: {} } }))).id)
  const read: string[] = []
  const query = { limit: 2 }
  for await (const user of itemsOf((page) => client.GET('/v1/users', { params: { query: { ...query, ...page } } })))
    read.push(user.id)
  expect(read).toEqual(expect.arrayContaining(made))
  expect(new Set(read).size).toBe(read.length)
})

test('a job is read until it has ended, or for a limited time', async () => {
  const { client } = newClient()
  const { id } = await dataOf(client.POST('/v1/users', { body: { claims: {} } }))
  let reads = 0
  const read = () => client.GET('/v1/users/{id}', { params: { path: { id } } })
  const job = await waitFor(read, () => ++reads === 3, { intervalMs: 1 })
  expect([job.id, reads]).toEqual([id, 3])
  await expect(waitFor(read, () => false, { intervalMs: 1, timeoutMs: 5 })).rejects.toThrow('within 5 ms')
})

test('a webhook is verified, and each change of it is refused', async () => {
  const { client } = newClient()
  await using receiver = await startReceiver()
  const body = { events: ['OpenIdCredentialIssued' as const], url: receiver.url }
  const { id } = await dataOf(client.POST('/v1/webhooks', { body }))
  await client.POST('/v1/webhooks/{webhookId}/test', { params: { path: { webhookId: id } } })
  const { method, path: target, headers, rawBody } = await eventually(async () => receiver.deliveries[0])
  const webhook = { method, target, headers, body: rawBody }
  expect(await client.verifyWebhook(webhook)).toMatchObject({
    webhookId: id,
    event: { type: 'OpenIdCredentialIssued' },
  })
  const asRequest = new Request(receiver.url, {
    method: 'POST',
    headers: webhook.headers,
    body: rawBody,
  })
  expect(await client.verifyWebhook(asRequest)).toMatchObject({ webhookId: id })

  const input = headers['signature-input'] ?? ''
  const refused: [change: Partial<typeof webhook>, message: string][] = [
    [{ body: '{}' }, 'content-digest'],
    [{ target: '/other' }, 'signature is wrong'],
    [{ method: 'PUT' }, 'signature is wrong'],
    [{ headers: { ...headers, host: 'other.example' } }, 'signature is wrong'],
    [{ headers: { ...headers, 'signature-input': '' } }, 'no signature'],
    [{ headers: { ...headers, 'signature-input': input.replace('"@method" ', '') } }, 'does not cover @method'],
    [{ headers: { ...headers, 'signature-input': input.replace(/created=\d+/, 'created=1') } }, 'too old'],
    [{ headers: { ...headers, 'signature-input': input.replace(/keyid="/, 'keyid="x') } }, 'is unknown'],
  ]
  for (const [change, message] of refused)
    await expect(client.verifyWebhook({ ...webhook, ...change })).rejects.toThrow(message)
})
