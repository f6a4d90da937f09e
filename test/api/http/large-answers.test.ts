import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Tenant } from '../../../api/access/subjects.ts'
import { createLargeAnswers } from '../../../api/http/large-answers.ts'
import { Answer } from '../../../api/http/representations/answer.ts'
import { handlerMedia } from '../../../api/http/representations/media.ts'
import type { RequestHooks } from '../../../api/http/request-hooks.ts'
import { defineRoute } from '../../../api/http/route.ts'
import { eventually } from '../../harness/harness.ts'
import { type Kernel, readAt, startKernel } from '../../harness/kernel.ts'

const size = 8_000_000
/** Enough for three lists. */
const largeAnswers = { maxBytes: 3.5 * size, maxBytesPerTenant: 3.5 * size }

let isKept = false
const lists = ['/1', '/2', '/3', '/4', '/5'].map((path) => {
  const content = Buffer.alloc(size, path)
  return defineRoute({
    ...readAt(path),
    host: 'tenant',
    representations: { media: [handlerMedia('application/cbor')], etag: 'version', maxAgeSeconds: 60 },
    handle: async () => new Answer(content, { version: path.slice(1), freshWhile: () => isKept }),
  })
})
const small = defineRoute({
  ...readAt('/small'),
  representations: { media: [handlerMedia('application/cbor')] },
  handle: async () => new Answer(Buffer.alloc(1000), {}),
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Sends a request and reads only the first bytes of the answer. Returns the status line. */
async function requestSlowly(kernel: Kernel, path: string, host = 'a'): Promise<string> {
  const socket = connect(Number(new URL(kernel.origin).port), '127.0.0.1')
  sockets.push(socket)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'readable')
  return String(socket.read(15)).trim()
}

const served = 'HTTP/1.1 200 OK'

test.each([
  ['from the handler', false],
  ['from the cache', true],
])('answers to slow readers have a limit in bytes: %s', async (_, kept) => {
  isKept = kept
  await using kernel = await startKernel([...lists, small], {}, { largeAnswers })
  if (kept) for (const path of ['/1', '/2', '/3', '/4', '/5']) await kernel.ask(path)
  for (const path of ['/1', '/2', '/3']) expect(await requestSlowly(kernel, path)).toBe(served)
  const refused = await kernel.ask('/4')
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } })
  expect(refused.headers).not.toHaveProperty('etag')
  expect(await kernel.ask('/small')).toMatchObject({ status: 200 })
  expect(await kernel.ask('/4', { 'if-none-match': '"4"' })).toMatchObject({ status: 304 })

  // Readers of the same bytes count once.
  for (const path of ['/1', '/2', '/3']) expect(await requestSlowly(kernel, path)).toBe(served)
  expect(await kernel.ask('/4')).toMatchObject({ status: 503 })

  // The bytes are free after the last reader disconnects.
  for (const socket of sockets.splice(0)) socket.destroy()
  await eventually(async () => (await kernel.ask('/4')).status === 200)
  for (const path of ['/2', '/3', '/5', '/4']) expect((await kernel.ask(path)).bytes).toHaveLength(size)
})

test.each([
  ['from the handler', false],
  ['from the cache', true],
])('slow readers of one tenant leave bytes for other tenants: %s', async (_, kept) => {
  isKept = kept
  const tenants = new Map(['a', 'b'].map((id) => [id, { id, host: id, kind: 'tenant' } as unknown as Tenant]))
  const find = ({ host }: { host: string }) => tenants.get(host)
  const byHost: Partial<RequestHooks> = {
    findTenant: async (_deps, ctx) => find(ctx),
    findKnownTenant: (_deps, ctx) => find(ctx),
  }
  const limits = { maxBytes: 4 * size, maxBytesPerTenant: 2.5 * size }
  await using kernel = await startKernel(lists, byHost, { largeAnswers: limits })
  for (const path of ['/1', '/2']) expect(await requestSlowly(kernel, path, 'a')).toBe(served)
  expect(await kernel.ask('/3', { host: 'a' })).toMatchObject({ status: 503 })
  for (const path of ['/3', '/4']) expect(await requestSlowly(kernel, path, 'b')).toBe(served)
})

test('a reader that stalls for too long is disconnected and frees its bytes', async () => {
  isKept = false
  await using kernel = await startKernel(lists, {}, { largeAnswers: { ...largeAnswers, stalledMs: 20 } })
  for (const path of ['/1', '/2', '/3']) expect(await requestSlowly(kernel, path)).toBe(served)
  // These sockets stay open without reading.
  await eventually(async () => (await requestSlowly(kernel, '/4')) === served)
})

test('a client has 30 s and one second more for each 8 KiB, also if it never stalls', async () => {
  // A socket measures a stall with a timer of Node, which does not end here.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const hold = createLargeAnswers({ maxBytes: 100 * 8_192 }).hold
  const [slow, next] = [newResponse(), newResponse()]
  expect(hold(slow, Buffer.alloc(100 * 8_192), 'a')).toBe(true)
  vi.advanceTimersByTime(129_999)
  expect(slow.destroyed).toBe(false)
  expect(hold(next, Buffer.alloc(100 * 8_192), 'b')).toBe(false)
  vi.advanceTimersByTime(1)
  await once(slow, 'close')
  expect(hold(next, Buffer.alloc(100 * 8_192), 'b')).toBe(true)
})

function newResponse(): ServerResponse {
  const socket = new Socket()
  const response = new ServerResponse(new IncomingMessage(socket))
  response.assignSocket(socket)
  return response
}

test('a single answer over the limit is sent', async () => {
  await using kernel = await startKernel(
    lists,
    {},
    { largeAnswers: { maxBytes: size / 2, maxBytesPerTenant: size / 2 } },
  )
  expect((await kernel.ask('/1')).bytes).toHaveLength(size)
})

test('an answer to a disconnected client does not count', async () => {
  const { promise: isGone, resolve: answer } = Promise.withResolvers<void>()
  let answered = 0
  const late = ['/late/1', '/late/2', '/late/3'].map((path) =>
    defineRoute({
      ...readAt(path),
      representations: { media: [handlerMedia('application/cbor')] },
      async handle() {
        answered++
        await isGone
        return new Answer(Buffer.alloc(size, path), {})
      },
    }),
  )
  await using kernel = await startKernel([...late, ...lists], {}, { largeAnswers })
  for (const path of ['/late/1', '/late/2', '/late/3']) {
    const socket = connect(Number(new URL(kernel.origin).port), '127.0.0.1')
    sockets.push(socket)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  }
  await eventually(async () => answered === 3)
  await Promise.all(sockets.splice(0).map((socket) => once(socket.destroy(), 'close')))
  // The answer to this request shows that the service has noticed the disconnections.
  await kernel.ask('/1')
  answer()
  for (const path of ['/2', '/3', '/4', '/5']) expect(await kernel.ask(path), path).toMatchObject({ status: 200 })
})
