import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Answer, type AnswerOptions } from '../../../api/http/representations/answer.ts'
import { handlerMedia, type Streamed } from '../../../api/http/representations/media.ts'
import type { Representations } from '../../../api/http/representations/representations.ts'
import { defineRoute, type Route } from '../../../api/http/route.ts'
import { type Kernel, readAt, startKernel } from '../../harness/kernel.ts'

const text = 'a stream of words '.repeat(20_000)
const media = [handlerMedia('application/pdf')] as const
let opened: Readable | undefined

async function* breaking() {
  yield text
  throw new Error('the source is gone')
}

function streamRoute(
  path: string,
  representations: Representations,
  open: () => Streamed,
  options: AnswerOptions = {},
) {
  return defineRoute({
    ...readAt(path),
    representations: { media, ...representations },
    async handle() {
      const streamed = open()
      opened = streamed.stream
      return new Answer(streamed, options)
    },
  })
}

const whole = () => ({ stream: Readable.from([text.slice(0, 9), text.slice(9)]), lengthBytes: text.length })

let kernel: Kernel
beforeAll(async () => {
  const listed: Representations = { etag: 'version', gzip: true, ranges: true, attachment: true }
  kernel = await startKernel([
    streamRoute('/file', listed, whole, { version: 1, fileName: 'file.pdf' }),
    streamRoute('/unmeasured', {}, () => ({ stream: Readable.from([text]) })),
    streamRoute('/broken', { gzip: true }, () => ({ stream: Readable.from(breaking()), lengthBytes: text.length + 1 })),
    streamRoute('/hashed', { etag: 'bytes' }, whole),
  ])
})
afterAll(() => kernel[Symbol.asyncDispose]())

test('a stream is sent with its length, ETag and file name', async () => {
  const { status, headers, text: got } = await kernel.ask('/file')
  expect([status, got === text]).toEqual([200, true])
  expect(headers).toMatchObject({
    'content-length': String(text.length),
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="file.pdf"',
    etag: '"1"',
  })
})

test('a stream of unknown length is sent in chunks', async () => {
  const { headers, text: got } = await kernel.ask('/unmeasured')
  expect([headers['content-length'], headers['transfer-encoding'], got === text]).toEqual([undefined, 'chunked', true])
})

test('a stream is compressed while it is sent', async () => {
  const { headers, bytes } = await kernel.ask('/file', { 'accept-encoding': 'gzip' })
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', etag: 'W/"1;gzip"' })
  expect(headers).not.toHaveProperty('content-length')
  expect(gunzipSync(bytes).toString() === text).toBe(true)
})

test('a stream does not support ranges', async () => {
  const { status, headers } = await kernel.ask('/file', { range: 'bytes=0-1' })
  expect([status, headers['accept-ranges'], headers['content-length']]).toEqual([200, undefined, String(text.length)])
})

test.each([
  ['GET', { 'if-none-match': '"1"' }, 304],
  ['HEAD', {}, 200],
  ['HEAD', { 'accept-encoding': 'gzip' }, 200],
] as const)('a stream that %s %j does not read is closed', async (method, headers, status) => {
  expect((await kernel.ask('/file', headers, method)).status).toBe(status)
  await expect.poll(() => opened?.destroyed).toBe(true)
})

test.each([{}, { 'accept-encoding': 'gzip' }])(
  'a reader with headers %j notices a stream that fails',
  async (headers) => {
    await expect(kernel.ask('/broken', headers)).rejects.toThrow()
  },
)

test('a stream cannot have an ETag of its bytes', async () => {
  expect(await kernel.ask('/hashed')).toMatchObject({ status: 500 })
})

test('a route that changes data cannot have an ETag', async () => {
  const changing: Route = { ...streamRoute('/change', { etag: 'version' }, whole), method: 'POST' }
  await expect(startKernel([changing])).rejects.toThrow('only a GET')
})
