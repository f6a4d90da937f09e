import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Tenant } from '../../../api/access/subjects.ts'
import { Answer } from '../../../api/http/representations/answer.ts'
import { given } from '../../../api/http/representations/media.ts'
import type { RequestHooks } from '../../../api/http/request-hooks.ts'
import { defineRoute } from '../../../api/http/route.ts'
import { eventually } from '../../harness/harness.ts'
import { type Kernel, readAt, startKernel } from '../../harness/kernel.ts'

const size = 8_000_000
/** Enough for three lists. */
const largeAnswers = { bytes: 3.5 * size, tenantBytes: 3.5 * size }

let isKept = false
const lists = ['/1', '/2', '/3', '/4', '/5'].map((path) => {
  const content = Buffer.alloc(size, path)
  return defineRoute({
    ...readAt(path),
    host: 'tenant',
    representations: { media: [given('application/cbor')], etag: 'version', maxAgeSeconds: 60 },
    handle: async () => new Answer(content, { version: path.slice(1), freshWhile: () => isKept }),
  })
})
const small = defineRoute({
  ...readAt('/small'),
  representations: { media: [given('application/cbor')] },
  handle: async () => new Answer(Buffer.alloc(1000), {}),
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Asks, and takes no more than the first bytes of the answer. Returns its status line. */
async function askSlowly(kernel: Kernel, path: string, host = 'a'): Promise<string> {
  const socket = connect(Number(new URL(kernel.origin).port), '127.0.0.1')
  sockets.push(socket)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'readable')
  return String(socket.read(15)).trim()
}

const served = 'HTTP/1.1 200 OK'

test.each([
  ['written anew', false],
  ['ready in the cache', true],
])('large answers to slow readers have a bound in bytes: %s', async (_, kept) => {
  isKept = kept
  await using kernel = await startKernel([...lists, small], {}, { largeAnswers })
  if (kept) for (const path of ['/1', '/2', '/3', '/4', '/5']) await kernel.ask(path)
  for (const path of ['/1', '/2', '/3']) expect(await askSlowly(kernel, path)).toBe(served)
  const refused = await kernel.ask('/4')
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } })
  expect(refused.headers).not.toHaveProperty('etag')
  expect(await kernel.ask('/small')).toMatchObject({ status: 200 })
  expect(await kernel.ask('/4', { 'if-none-match': '"4"' })).toMatchObject({ status: 304 })

  // Readers of the same bytes count once.
  for (const path of ['/1', '/2', '/3']) expect(await askSlowly(kernel, path)).toBe(served)
  expect(await kernel.ask('/4')).toMatchObject({ status: 503 })

  // The bytes are free again when their last reader has gone.
  for (const socket of sockets.splice(0)) socket.destroy()
  await eventually(async () => (await kernel.ask('/4')).status === 200)
  for (const path of ['/2', '/3', '/5', '/4']) expect((await kernel.ask(path)).bytes).toHaveLength(size)
})

test.each([
  ['written anew', false],
  ['ready in the cache', true],
])('slow readers of one tenant leave room for the others: %s', async (_, kept) => {
  isKept = kept
  const tenants = new Map(['a', 'b'].map((id) => [id, { id, host: id, kind: 'tenant' } as unknown as Tenant]))
  const find = ({ host }: { host: string }) => tenants.get(host)
  const byHost: Partial<RequestHooks> = {
    findTenant: async (_deps, ctx) => find(ctx),
    findKnownTenant: (_deps, ctx) => find(ctx),
  }
  const limits = { bytes: 4 * size, tenantBytes: 2.5 * size }
  await using kernel = await startKernel(lists, byHost, { largeAnswers: limits })
  for (const path of ['/1', '/2']) expect(await askSlowly(kernel, path, 'a')).toBe(served)
  expect(await kernel.ask('/3', { host: 'a' })).toMatchObject({ status: 503 })
  for (const path of ['/3', '/4']) expect(await askSlowly(kernel, path, 'b')).toBe(served)
})

test('a reader that takes no byte for too long is cut, and its bytes are free again', async () => {
  isKept = false
  await using kernel = await startKernel(lists, {}, { largeAnswers: { ...largeAnswers, stalledMs: 20 } })
  for (const path of ['/1', '/2', '/3']) expect(await askSlowly(kernel, path)).toBe(served)
  // These sockets stay open and take nothing more.
  await eventually(async () => (await askSlowly(kernel, '/4')) === served)
})

test('an answer beyond the bound is sent when it is the only one', async () => {
  await using kernel = await startKernel(lists, {}, { largeAnswers: { bytes: size / 2, tenantBytes: size / 2 } })
  expect((await kernel.ask('/1')).bytes).toHaveLength(size)
})

test('an answer to a client that left before it was written is not counted', async () => {
  const { promise: isGone, resolve: answer } = Promise.withResolvers<void>()
  let answered = 0
  const late = ['/late/1', '/late/2', '/late/3'].map((path) =>
    defineRoute({
      ...readAt(path),
      representations: { media: [given('application/cbor')] },
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
  // The service has noticed when it answers the next request.
  await kernel.ask('/1')
  answer()
  for (const path of ['/2', '/3', '/4', '/5']) expect(await kernel.ask(path), path).toMatchObject({ status: 200 })
})
