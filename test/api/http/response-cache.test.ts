import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Tenant } from '../../../api/access/subjects.ts'
import { Answer } from '../../../api/http/representations/answer.ts'
import { handlerMedia } from '../../../api/http/representations/media.ts'
import type { Representations } from '../../../api/http/representations/representations.ts'
import { defineRoute } from '../../../api/http/route.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { type Kernel, readAt, startKernel } from '../../harness/kernel.ts'

let handled = 0
let admitted = 0
let isFull = false
let isFresh = true
let content = Buffer.from('first')

const etag = { etag: 'version', maxAgeSeconds: 60, cors: true } as const

function published(
  path: string,
  representations: Representations,
  { onSent, ...more }: { event?: string; onSent?: () => void } = {},
) {
  return defineRoute({
    ...readAt(path),
    ...more,
    host: 'tenant',
    representations: { media: [handlerMedia('application/cwt')], ...representations },
    async handle() {
      handled++
      const current = content
      const freshWhile = () => isFresh && content === current
      return new Answer(content, { version: content.toString(), freshWhile, ...(onSent && { onSent }) })
    },
  })
}

/** One tenant with two hosts. The kernel reads a tenant object for each host. */
const atHost = new Map(['here', 'there'].map((host) => [host, { id: 'tenant', kind: 'tenant', host } as Tenant]))
const findKnownTenant = (_: unknown, { headers }: { headers: IncomingHttpHeaders }) =>
  atHost.get(headers.host ?? '') ?? atHost.get('here')

let kernel: Kernel
beforeAll(async () => {
  const routes = [
    published('/list', etag),
    published('/untagged', {}),
    published('/both', etag),
    published('/reloaded', etag),
    published('/known', etag),
    published('/packed', { ...etag, gzip: true, ranges: true }),
    published('/event', etag, { event: 'LIST_RETRIEVE' }),
    published('/sent', etag, { onSent() {} }),
  ]
  kernel = await startKernel(routes, {
    findKnownTenant,
    findTenant: async (...parameters) => findKnownTenant(...parameters),
    async admit() {
      admitted++
      if (isFull) throw new Problem('too_many_requests', { retryAfterSeconds: 7 })
    },
  })
})
afterAll(() => kernel[Symbol.asyncDispose]())
beforeEach(() => {
  content = Buffer.from('first')
  handled = 0
  admitted = 0
  isFull = false
  isFresh = true
  kernel.lifecycle.phase = 'serving'
})

/** The part of an answer that is the same for all requests. */
const common = ({ status, headers, text }: Awaited<ReturnType<Kernel['ask']>>) => {
  const { 'x-request-id': _, date: __, ...others } = headers
  return { status, text, headers: others }
}

test('a cached answer is sent again with a new request id and without the handler', async () => {
  const answers = []
  for (let n = 0; n < 10; n++) answers.push(await kernel.ask('/list'))
  const [first] = answers
  expect(first).toMatchObject({
    status: 200,
    text: 'first',
    headers: { etag: '"first"', 'cache-control': 'public, max-age=60', 'content-type': 'application/cwt' },
  })
  expect(first!.headers).toMatchObject({ 'access-control-allow-origin': '*', 'content-length': '5' })
  for (const each of answers) expect(common(each)).toEqual(common(first!))
  expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(10)
  expect([handled, admitted]).toEqual([1, 10])
})

test('a reader with the known version receives 304 from the handler and from the cache, with any Cache-Control', async () => {
  const condition = { 'if-none-match': '"first"' }
  const [first, second] = [await kernel.ask('/known', condition), await kernel.ask('/known', condition)]
  expect(first).toMatchObject({
    status: 304,
    text: '',
    headers: { etag: '"first"', 'cache-control': 'public, max-age=60' },
  })
  expect(first.headers).not.toHaveProperty('content-type')
  expect(common(second)).toEqual(common(first))
  expect(handled).toBe(1)
  expect(await kernel.ask('/known', { ...condition, 'cache-control': 'no-cache' })).toMatchObject({
    status: 304,
    text: '',
  })
  const others = [{}, { 'if-none-match': '"other"' }, { 'cache-control': 'no-cache' }]
  for (const headers of others) {
    expect(await kernel.ask('/known', headers)).toMatchObject({ status: 200, text: 'first' })
  }
  expect(handled).toBe(1)
  for (let n = 0; n < 2; n++) {
    for (const none of ['*', '"undefined"', 'undefined'])
      expect((await kernel.ask('/untagged', { 'if-none-match': none })).status).toBe(200)
  }
})

test('each encoding has its own cache entry', async () => {
  for (let n = 0; n < 3; n++) {
    const packed = await kernel.ask('/packed', { 'accept-encoding': 'gzip' })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      etag: 'W/"first;gzip"',
      vary: 'Accept-Encoding',
    })
    expect(gunzipSync(packed.bytes).toString()).toBe('first')
    const plain = await kernel.ask('/packed')
    expect(plain).toMatchObject({ text: 'first', headers: { etag: '"first"', vary: 'Accept-Encoding' } })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const answer = await kernel.ask('/packed', { 'accept-encoding': 'gzip', 'if-none-match': 'W/"first;gzip"' })
    expect([answer.status, answer.headers['content-encoding']]).toEqual([304, undefined])
  }
  expect(handled).toBe(2)
})

test('ranges, HEAD, queries and preflights do not use the cache', async () => {
  await kernel.ask('/packed')
  const part = await kernel.ask('/packed', { range: 'bytes=0-1' })
  expect([part.status, part.text]).toEqual([206, 'fi'])
  const head = await kernel.ask('/packed', {}, 'HEAD')
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '5'])
  for (let n = 0; n < 2; n++) expect((await kernel.ask('/packed?at=1')).text).toBe('first')
  expect((await kernel.ask('/list', {}, 'OPTIONS')).status).toBe(204)
  expect((await kernel.ask('/packed/')).status).toBe(404)
  expect(handled).toBe(5)
})

test('a tenant with two hosts has a cache entry for each host', async () => {
  for (let n = 0; n < 3; n++)
    for (const host of ['here', 'there']) expect((await kernel.ask('/both', { host })).text).toBe('first')
  expect(handled).toBe(2)
})

test('an answer is generated again after its tenant was reloaded', async () => {
  const [host, before] = ['here', atHost.get('here')!]
  await kernel.ask('/reloaded', { host })
  atHost.set(host, { ...before })
  for (let n = 0; n < 2; n++) await kernel.ask('/reloaded', { host })
  expect(handled).toBe(2)
})

test('a request with a duplicate singleton header is refused despite the cache', async () => {
  await kernel.ask('/list')
  const headers = ['content-type', 'text/plain', 'content-type', 'text/html']
  const { statusCode, body } = await request(`${kernel.origin}/list`, { headers })
  await body.dump()
  expect(statusCode).toBe(400)
})

test('an answer to a request with very long headers is not cached', async () => {
  const wish = { 'accept-encoding': `gzip, ${'x-other;q=0.1, '.repeat(30)}identity` }
  for (let n = 0; n < 2; n++) expect((await kernel.ask('/packed', wish)).headers['content-encoding']).toBe('gzip')
  expect(handled).toBe(2)
})

test('an answer that is no longer fresh is generated again', async () => {
  await kernel.ask('/list')
  handled = 0
  isFresh = false
  for (let n = 0; n < 3; n++) await kernel.ask('/list')
  expect(handled).toBe(3)
  isFresh = true
  content = Buffer.from('second')
  expect(await kernel.ask('/list', { 'if-none-match': '"first"' })).toMatchObject({ status: 200, text: 'second' })
  expect(await kernel.ask('/list')).toMatchObject({ text: 'second', headers: { etag: '"second"' } })
  expect(handled).toBe(4)
})

test('a cached answer counts once against the rate limit and is refused over it', async () => {
  await kernel.ask('/list')
  handled = 0
  admitted = 0
  isFull = true
  expect(await kernel.ask('/list')).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
  expect([admitted, handled]).toEqual([1, 0])
})

test('a stopping process does not use the cache, so that it closes connections', async () => {
  await kernel.ask('/list')
  handled = 0
  kernel.lifecycle.phase = 'stopping'
  expect((await kernel.ask('/list')).status).toBe(200)
  expect([handled, admitted]).toEqual([1, 2])
})

test('routes with an event and answers with a sent callback cannot be cached', async () => {
  expect((await kernel.ask('/event')).status).toBe(500)
  expect((await kernel.ask('/sent')).status).toBe(500)
})
