import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Answer, type AnswerOptions } from '../../../api/http/representations/answer.ts'
import { handlerMedia } from '../../../api/http/representations/media.ts'
import type { Representations } from '../../../api/http/representations/representations.ts'
import { defineRoute, operators, type Route } from '../../../api/http/route.ts'
import { type Kernel, readAt, startKernel } from '../../harness/kernel.ts'

const bytes = Buffer.concat([Buffer.alloc(300, 'list'), randomBytes(20)])
const gzipped = gzipSync(bytes, { level: 1 })
const cwt = { accept: 'application/cwt' }
const zipped = { 'accept-encoding': 'gzip' }

const list: Representations = {
  media: [handlerMedia('application/cbor'), handlerMedia('application/cwt')],
  etag: 'version',
  maxAgeSeconds: 'answered',
  gzip: true,
  ranges: true,
  attachment: true,
  cors: true,
}

function listRoute(path: string, representations: Representations, options: AnswerOptions = {}): Route {
  return defineRoute({
    ...readAt(path),
    representations,
    async handle() {
      // A view of a larger buffer, as in pools.
      const memory = new Uint8Array([0, 0, ...bytes, 0])
      return new Answer(memory.subarray(2, -1), options)
    },
  })
}

let kernel: Kernel
beforeAll(async () => {
  const media = [handlerMedia('application/cbor')] as const
  kernel = await startKernel([
    listRoute('/list', list, { version: 7, maxAgeSeconds: 30, fileName: 'vical €.cbor' }),
    listRoute(
      '/precompressed',
      { media, gzip: true, etag: 'version' },
      { version: 'a "b", c', gzipped: () => gzipped },
    ),
    listRoute('/bytes', { media, etag: 'bytes' }),
    listRoute('/ranges', { media, ranges: true }),
    listRoute('/unversioned', { media, etag: 'version' }),
    listRoute('/unspecified', { media, maxAgeSeconds: 'answered' }),
    listRoute('/constant', { media, maxAgeSeconds: 60 }, { fileName: 'not declared' }),
  ])
})
afterAll(() => kernel[Symbol.asyncDispose]())

test('a list has headers for its type, freshness and file name', async () => {
  const { status, headers, bytes: got } = await kernel.ask('/list')
  expect([status, got]).toEqual([200, bytes])
  expect(headers).toMatchObject({
    'content-type': 'application/cbor',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=30',
    'content-disposition': `attachment; filename="vical _.cbor"; filename*=UTF-8''vical%20%E2%82%AC.cbor`,
    'accept-ranges': 'bytes',
    vary: 'Accept, Accept-Encoding',
    etag: '"7"',
  })
})

test('a list has no header that its route does not declare', async () => {
  expect((await kernel.ask('/unspecified')).headers['cache-control']).toBe('no-store')
  const { headers } = await kernel.ask('/constant', { ...zipped, range: 'bytes=0-1' })
  expect(headers['cache-control']).toBe('public, max-age=60')
  for (const name of [
    'content-disposition',
    'etag',
    'accept-ranges',
    'content-encoding',
    'access-control-allow-origin',
  ])
    expect(headers).not.toHaveProperty(name)
})

describe('If-None-Match', () => {
  test.each(['"7"', 'W/"7"', '"6", "7"', '"x",W/"7" , "8"', '*'])('answers 304 for the known %s', async (known) => {
    const { status, headers, bytes: got } = await kernel.ask('/list', { 'if-none-match': known })
    expect([status, got.length]).toEqual([304, 0])
    expect(headers).toMatchObject({
      etag: '"7"',
      'cache-control': 'public, max-age=30',
      vary: 'Accept, Accept-Encoding',
    })
    for (const name of ['content-type', 'content-length', 'content-disposition', 'accept-ranges'])
      expect(headers).not.toHaveProperty(name)
  })

  test.each(['"6"', '7', '"7', '"7;gzip"', '"7;application/cwt"', ''])(
    'answers 200 for the unknown %s',
    async (unknown) => {
      expect(await kernel.ask('/list', { 'if-none-match': unknown })).toMatchObject({ status: 200, bytes })
    },
  )

  test('takes precedence over a range', async () => {
    expect(await kernel.ask('/list', { 'if-none-match': '"7"', range: 'bytes=0-1' })).toMatchObject({ status: 304 })
  })

  test('takes precedence over If-Modified-Since, which is ignored', async () => {
    const since = { 'if-modified-since': new Date(Date.now() + 1e6).toUTCString() }
    expect(await kernel.ask('/list', { ...since, 'if-none-match': '"7"' })).toMatchObject({ status: 304 })
    expect(await kernel.ask('/list', since)).toMatchObject({ status: 200 })
  })

  test.each(['no-cache', 'max-age=0', 'no-store, no-cache'])(
    'is evaluated with any Cache-Control of the request: %s',
    async (caching) => {
      const condition = { 'if-none-match': '"7"', 'cache-control': caching, pragma: 'no-cache' }
      expect(await kernel.ask('/list', condition)).toMatchObject({ status: 304 })
      expect(await kernel.ask('/list', { ...condition, 'if-none-match': '"6"' })).toMatchObject({ status: 200, bytes })
    },
  )

  test('is evaluated for fetch, which adds Cache-Control: no-cache', async () => {
    const answer = await fetch(`${kernel.origin}/list`, { headers: { 'if-none-match': 'W/"7;gzip"' } })
    expect(answer.status).toBe(304)
  })

  test('gives HEAD the same answer as GET', async () => {
    expect(await kernel.ask('/list', { 'if-none-match': '"7"' }, 'HEAD')).toMatchObject({ status: 304 })
    const { status, headers } = await kernel.ask('/list', { range: 'bytes=0-1' }, 'HEAD')
    expect([status, headers['content-length'], headers.etag]).toEqual([200, String(bytes.length), '"7"'])
  })
})

test('each representation has its own ETag, which is not valid for another', async () => {
  const variants = [{}, zipped, cwt, { ...cwt, ...zipped }]
  const answers = await Promise.all(variants.map((headers) => kernel.ask('/list', headers)))
  const tags = answers.map(({ headers }) => String(headers.etag))
  expect(tags).toEqual(['"7"', 'W/"7;gzip"', '"7;application/cwt"', 'W/"7;application/cwt;gzip"'])
  for (const [at, headers] of variants.entries()) {
    for (const [of, tag] of tags.entries()) {
      const { status } = await kernel.ask('/list', { ...headers, 'if-none-match': tag })
      expect(status).toBe(at === of ? 304 : 200)
    }
  }
})

test('an ETag can come from the bytes or from a version with any characters', async () => {
  const { headers } = await kernel.ask('/bytes')
  expect(headers.etag).toMatch(/^"[\w-]{43}"$/)
  expect(await kernel.ask('/bytes', { 'if-none-match': String(headers.etag) })).toMatchObject({ status: 304 })
  const etag = String((await kernel.ask('/precompressed')).headers.etag)
  expect(await kernel.ask('/precompressed', { 'if-none-match': etag })).toMatchObject({ status: 304 })
  expect(await kernel.ask('/unversioned')).toMatchObject({ status: 500 })
})

describe('gzip', () => {
  test.each([
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['*', true],
    ['gzip;q=0', false],
    ['identity;q=1, gzip;q=0.5', false],
    ['br', false],
    ['', false],
  ])('for Accept-Encoding: %s is %s', async (accepted, isGzipped) => {
    const { headers, bytes: got } = await kernel.ask('/list', { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(isGzipped ? 'gzip' : undefined)
    expect(headers['content-length']).toBe(String(got.length))
    expect(isGzipped ? gunzipSync(got) : got).toEqual(bytes)
    expect(headers.vary).toBe('Accept, Accept-Encoding')
  })

  test('is sent as stored if it exists', async () => {
    expect((await kernel.ask('/precompressed', zipped)).bytes).toEqual(gzipped)
    expect((await kernel.ask('/precompressed')).bytes).toEqual(bytes)
  })
})

describe('a range', () => {
  const last = bytes.length - 1
  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, last],
    ['bytes=-100', last - 99, last],
    ['bytes=0-999999', 0, last],
    ['bytes=-999999', 0, last],
    [`bytes=${last}-${last}`, last, last],
  ])('%s returns only these bytes', async (range, from, to) => {
    const { status, headers, bytes: got } = await kernel.ask('/list', { range, ...zipped })
    expect([status, headers['content-range']]).toEqual([206, `bytes ${from}-${to}/${bytes.length}`])
    expect(got).toEqual(bytes.subarray(from, to + 1))
    expect(headers).toMatchObject({
      etag: '"7"',
      'content-length': String(got.length),
      'content-type': 'application/cbor',
    })
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test.each([`bytes=${bytes.length}-`, 'bytes=999999-1000000', 'bytes=-0'])('%s cannot be satisfied', async (range) => {
    const { status, headers, text } = await kernel.ask('/list', { range })
    expect([status, headers['content-range'], JSON.parse(text).code]).toEqual([
      416,
      `bytes */${bytes.length}`,
      'RangeNotSatisfiable',
    ])
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
  })

  test.each(['bytes=0-1,5-6', 'lines=0-1', 'bytes=5-1', 'bytes=-', 'bytes=a-b', '0-1'])(
    '%s is ignored',
    async (range) => {
      expect(await kernel.ask('/list', { range })).toMatchObject({ status: 200, bytes })
    },
  )

  test.each([
    ['"7"', 206],
    ['W/"7"', 200],
    ['"6"', 200],
    ['W/"7;gzip"', 200],
    [new Date().toUTCString(), 200],
  ])('with If-Range: %s returns %i', async (ifRange, status) => {
    expect(await kernel.ask('/list', { range: 'bytes=0-1', 'if-range': ifRange })).toMatchObject({ status })
  })

  test('of a list without an ETag matches no If-Range', async () => {
    expect(await kernel.ask('/ranges', { range: 'bytes=0-1' })).toMatchObject({
      status: 206,
      bytes: bytes.subarray(0, 2),
    })
    expect(await kernel.ask('/ranges', { range: 'bytes=0-1', 'if-range': '"7"' })).toMatchObject({ status: 200 })
  })
})

describe('a list with CORS', () => {
  test('allows every origin in each answer and exposes the headers for scripts', async () => {
    for (const headers of [{}, { 'if-none-match': '*' }, { range: 'bytes=0-1' }, { range: 'bytes=999999-' }]) {
      const answer = await kernel.ask('/list', { origin: 'https://reader.example', ...headers })
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers['access-control-expose-headers']).toMatch(/DPoP-Nonce, ETag, .*WWW-Authenticate/)
    }
  })

  test('answers preflight requests', async () => {
    const preflight = { origin: 'https://reader.example', 'access-control-request-headers': 'if-none-match' }
    const { status, headers } = await kernel.ask('/list', preflight, 'OPTIONS')
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': expect.stringMatching(/^Accept, Authorization, Content-Type, DPoP, .*\*$/),
      'access-control-max-age': '86400',
    })
    expect(await kernel.ask('/bytes', preflight, 'OPTIONS')).toMatchObject({ status: 404 })
  })

  test('is not possible for operators', async () => {
    const kept = { ...listRoute('/kept', { cors: true }), access: operators('admin') }
    await expect(startKernel([kept])).rejects.toThrow('for operators')
  })
})
