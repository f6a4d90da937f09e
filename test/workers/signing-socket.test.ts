// @module-tag redis

import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import { newSocketPath, type SocketFolder, socketFolderOf } from '../../shared/jobs/sockets/socket-folder.ts'
import { createSecrets, type Secrets } from '../../shared/secrets/secrets.ts'
import { createDirectAnswerer } from '../../workers/jobs/direct-answerer.ts'
import { listenOnSocket } from '../../workers/jobs/signing-socket.ts'
import { type ServeOptions, serveQueue } from '../../workers/serve.ts'
import { eventually } from '../harness/harness.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'
import { openRedisBus } from '../harness/redis-bus.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const item = { tenantId: 't', method: 'POST' as const, url: 'https://a.example', headers: {} }
const answerOf = (from: string) => ({ outcomes: [{ ok: { headers: { from } } }] })
const answering = (from: string) => ({ signWebhooks: async () => answerOf(from) })
const log = pino({ level: 'silent' })

const settings = { queueIn: 'redis', databaseUrl: 'file:/a', redisUrl: 'redis://u:p@h:1', redisPrefix: 'p' } as const

/** The queues of a service, and the folder of its sockets. */
async function start({ onTestFinished }: TestContext, redisUrl = redis.url) {
  const prefix = `test-${randomUUID()}`
  const secrets = createSecrets([randomBytes(32)])
  const dataDir = mkdtempSync(join(tmpdir(), 'trustwright-socket-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const folder = socketFolderOf({ ...settings, dataDir, redisUrl, redisPrefix: prefix })!

  async function openCaller(own: Secrets = secrets) {
    const bus = await openRedisBus({ redisUrl, prefix, secrets: own, sockets: folder })
    onTestFinished(() => bus.close())
    return bus
  }
  async function listen(
    handlers: ServeOptions['handlers'],
    own: Partial<{ folder: SocketFolder; secrets: Secrets }> = {},
  ) {
    const { answer, ended } = createDirectAnswerer({ queue: 'signing', handlers, log, concurrency: 2 })
    const socket = await listenOnSocket({ folder, secrets, log, answer, ...own })
    onTestFinished(() => {
      socket.close()
      socket.disconnect()
    })
    return { ...socket, ended }
  }
  function work(handlers: ServeOptions['handlers']): void {
    const consumer = createRedisBroker({ redisUrl, prefix, secrets }).openConsumer('signing')
    const worker = serveQueue({ queue: 'signing', handlers, consumer, secrets, log, concurrency: 2, takeoverMs: 3_000 })
    onTestFinished(async () => {
      await worker.close()
      consumer.disconnect()
    })
  }
  return { folder, secrets, openCaller, listen, work }
}

type Caller = Awaited<ReturnType<typeof openRedisBus>>
const ask = (bus: Caller, deadlineMs = 60_000) => bus.call('signWebhooks', { items: [item] }, { deadlineMs })
const connected = (bus: Caller) => eventually(async () => bus.hasSigner())
const socketsIn = ({ path }: SocketFolder) => readdirSync(path)
const pathIn = (folder: SocketFolder) => join(folder.path, socketsIn(folder)[0]!)

/** Connects as a process that knows nothing. Resolves when the other side closes the connection. */
async function closedAfter(path: string, content: Buffer): Promise<void> {
  const socket = connect(path)
  socket.on('error', () => undefined).resume()
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(content)
  await closed
}

function frameOf(content: Buffer, length = content.length): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(length)
  return Buffer.concat([header, content])
}

test('requests reach a signing process of the machine without Redis', async (context) => {
  const own = await startRedis()
  const { openCaller, listen } = await start(context, own.url)
  await listen(answering('socket'))
  const bus = await openCaller()
  await connected(bus)
  await own.stop()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(bus)))
  expect(answers).toEqual(answers.map(() => answerOf('socket')))
})

test('a request whose signing process ends before its answer becomes a job', async (context) => {
  const { openCaller, listen, work } = await start(context)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { disconnect } = await listen({
    signWebhooks: () => {
      begin()
      return new Promise(() => undefined)
    },
  })
  const bus = await openCaller()
  await connected(bus)
  const asked = ask(bus)
  await begun
  work(answering('job'))
  disconnect()
  expect(await asked).toEqual(answerOf('job'))
})

test('a request that fails becomes a job', async (context) => {
  const { openCaller, listen, work } = await start(context)
  await listen({
    signWebhooks: async () => {
      throw new Error('once')
    },
  })
  const bus = await openCaller()
  await connected(bus)
  work(answering('job'))
  expect(await ask(bus)).toEqual(answerOf('job'))
})

test('a signing process that ends answers what it has, and gets no further request', async (context) => {
  const { folder, openCaller, listen, work } = await start(context)
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  let begun = 0
  const { close, disconnect, ended } = await listen({
    signWebhooks: async () => {
      begun++
      await freed
      return answerOf('socket')
    },
  })
  const bus = await openCaller()
  await connected(bus)
  const asked = [ask(bus), ask(bus)]
  await eventually(async () => begun === 2)
  close()
  await eventually(async () => !bus.hasSigner())
  expect(socketsIn(folder)).toEqual([])
  free()
  expect(await Promise.all(asked)).toEqual([answerOf('socket'), answerOf('socket')])
  await ended()
  disconnect()
  work(answering('job'))
  expect(await ask(bus)).toEqual(answerOf('job'))
})

test('processes with another service secret neither get requests nor have them answered', async (context) => {
  const { folder, openCaller, listen, work } = await start(context)
  const other = createSecrets([randomBytes(32)])
  let begun = 0
  const count = async () => {
    begun++
    return answerOf('socket')
  }
  await listen({ signWebhooks: count }, { secrets: other })
  work(answering('job'))
  const bus = await openCaller()
  // A connection to a process with the secret of the caller shows that the caller had the time for both.
  expect(bus.hasSigner()).toBe(false)
  await listen(answering('own'))
  await connected(bus)
  for (let run = 0; run < 4; run++) expect(await ask(bus)).toEqual(answerOf('own'))
  expect(begun).toBe(0)
  expect(socketsIn(folder)).toHaveLength(2)
})

test('a replaced service secret is accepted until both sides have the new one', async (context) => {
  const { openCaller, listen } = await start(context)
  const [first, second] = [randomBytes(32), randomBytes(32)]
  await listen(answering('socket'), { secrets: createSecrets([second, first]) })
  const bus = await openCaller(createSecrets([first, second]))
  await connected(bus)
  expect(await ask(bus)).toEqual(answerOf('socket'))
})

test.for([
  ['a frame that is too large', frameOf(Buffer.alloc(0), 65)],
  ['a wrong random value', frameOf(Buffer.alloc(31))],
  ['a wrong proof', Buffer.concat([frameOf(Buffer.alloc(32)), frameOf(Buffer.alloc(21))])],
  ['an empty proof', Buffer.concat([frameOf(Buffer.alloc(32)), frameOf(Buffer.alloc(0))])],
  ['half a frame', frameOf(Buffer.alloc(10), 32)],
  ['nothing', Buffer.alloc(0)],
] as const)('a connection that sends %s is closed, and others are answered', async ([, content], context) => {
  const { folder, openCaller, listen } = await start(context)
  await listen(answering('socket'))
  const bus = await openCaller()
  await connected(bus)
  await closedAfter(pathIn(folder), content)
  expect(await ask(bus)).toEqual(answerOf('socket'))
})

test('a signing process has a limited number of connections', async (context) => {
  const { folder, openCaller, listen } = await start(context)
  await listen(answering('socket'))
  const bus = await openCaller()
  await connected(bus)
  let closed = 0
  const flood = Array.from({ length: 80 }, () =>
    connect(pathIn(folder))
      .on('error', () => undefined)
      .on('close', () => closed++)
      .resume(),
  )
  const greeted = new Set<Socket>()
  for (const socket of flood) socket.on('data', () => greeted.add(socket))
  await eventually(async () => closed + greeted.size >= flood.length)
  expect(greeted.size).toBeLessThan(64)
  expect(await ask(bus)).toEqual(answerOf('socket'))
  for (const socket of flood) socket.destroy()
})

test('a signing process removes the sockets of killed processes, and no others', async (context) => {
  const { folder, listen } = await start(context)
  mkdirSync(folder.path, { mode: 0o700 })
  const killed = createServer()
  await new Promise<void>((resolve) => killed.listen(newSocketPath(folder), resolve))
  const leftover = newSocketPath(folder)
  renameSync(pathIn(folder), leftover)
  await new Promise((resolve) => killed.close(resolve))
  expect(socketsIn(folder)).toHaveLength(1)
  await listen(answering('first'))
  const [first] = socketsIn(folder)
  expect(leftover).not.toContain(first)
  await listen(answering('second'))
  expect(socketsIn(folder)).toHaveLength(2)
  expect(socketsIn(folder)).toContain(first)
})

test('a folder into which others can write is used by neither side', async (context) => {
  const { folder, openCaller, listen, work } = await start(context)
  await listen(answering('socket'))
  chmodSync(folder.path, 0o770)
  await expect(listen(answering('socket'))).rejects.toThrow('must belong to the user')
  const bus = await openCaller()
  work(answering('job'))
  expect(bus.hasSigner()).toBe(false)
  expect(await ask(bus)).toEqual(answerOf('job'))
  chmodSync(folder.path, 0o700)
  await connected(bus)
  expect(await ask(bus)).toEqual(answerOf('socket'))
})

/** A process between both sides, which can stop or change what it passes on. */
async function startRelay(
  context: TestContext,
  from: string,
  to: string,
  change: (chunk: Buffer) => Buffer | undefined,
) {
  const sockets: Socket[] = []
  const server: Server = createServer((caller) => {
    const signer = connect(to)
    sockets.push(caller, signer)
    for (const [source, target] of [
      [caller, signer],
      [signer, caller],
    ] as const) {
      source.on('data', (chunk) => {
        const changed = change(chunk)
        if (changed) target.write(changed)
      })
      source.on('error', () => undefined).on('close', () => target.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(from, resolve))
  context.onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
}

test('a process that is silent gets no further request, and its request becomes a job', async (context) => {
  const { folder, openCaller, listen, work } = await start(context)
  const hidden = socketFolderOf({ ...settings, dataDir: join(folder.path, '..', 'h') })!
  await listen(answering('socket'), { folder: hidden })
  mkdirSync(folder.path, { mode: 0o700 })
  let isSilent = false
  await startRelay(context, newSocketPath(folder), pathIn(hidden), (chunk) => (isSilent ? undefined : chunk))
  const bus = await openCaller()
  await connected(bus)
  expect(await ask(bus)).toEqual(answerOf('socket'))
  isSilent = true
  work(answering('job'))
  expect(await ask(bus)).toEqual(answerOf('job'))
  expect(bus.hasSigner()).toBe(false)
})

test('a changed frame ends the connection, and its request becomes a job', async (context) => {
  const { folder, openCaller, listen, work } = await start(context)
  const hidden = socketFolderOf({ ...settings, dataDir: join(folder.path, '..', 'h') })!
  let begun = 0
  const count = async () => {
    begun++
    return answerOf('socket')
  }
  await listen({ signWebhooks: count }, { folder: hidden })
  mkdirSync(folder.path, { mode: 0o700 })
  let isChanged = false
  const change = (chunk: Buffer) => {
    if (isChanged && chunk.length > 40) chunk[30]! ^= 1
    return chunk
  }
  await startRelay(context, newSocketPath(folder), pathIn(hidden), change)
  const bus = await openCaller()
  await connected(bus)
  isChanged = true
  work(answering('job'))
  expect(await ask(bus)).toEqual(answerOf('job'))
  expect(begun).toBe(0)
})

test('a request that is too large for a frame becomes a job', async (context) => {
  const { openCaller, listen, work } = await start(context)
  await listen(answering('socket'))
  const bus = await openCaller()
  await connected(bus)
  work(answering('job'))
  const url = `https://a.example/${'x'.repeat(17 * 1_024 * 1_024)}`
  const asked = bus.call('signWebhooks', { items: [{ ...item, url }] }, { deadlineMs: 60_000 })
  expect(await asked).toEqual(answerOf('job'))
  expect(await ask(bus)).toEqual(answerOf('socket'))
})

test('there are no sockets on Windows, and none with a path that is too long', () => {
  expect(socketFolderOf({ ...settings, dataDir: '/data' }, 'win32')).toBeUndefined()
  expect(socketFolderOf({ ...settings, dataDir: `/${'d'.repeat(100)}` }, 'linux')).toBeUndefined()
  const folder = socketFolderOf({ ...settings, dataDir: '/data' }, 'linux')
  expect(socketFolderOf({ ...settings, dataDir: '/data', redisUrl: 'redis://h:1' }, 'linux')).toEqual(folder)
  expect(socketFolderOf({ ...settings, dataDir: '/data', redisPrefix: 'other' }, 'linux')).not.toEqual(folder)
  const inDatabase = { ...settings, dataDir: '/data', queueIn: 'database' as const }
  const inOther = { ...inDatabase, databaseUrl: 'file:/other' }
  const names = [folder, socketFolderOf(inDatabase, 'linux'), socketFolderOf(inOther, 'linux')].map(
    (each) => each?.prefix,
  )
  expect(new Set(names).size).toBe(3)
})
