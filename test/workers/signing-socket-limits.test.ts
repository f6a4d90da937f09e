import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createFrames, maxFrameBytes } from '../../shared/jobs/sockets/frames.ts'
import { readyMessage } from '../../shared/jobs/sockets/messages.ts'
import { openCallerSession } from '../../shared/jobs/sockets/session-keys.ts'
import { connectToSigner, type SignerConnection } from '../../shared/jobs/sockets/signer-connection.ts'
import { findSocketPaths } from '../../shared/jobs/sockets/socket-folder.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { serveCaller } from '../../workers/jobs/caller-connection.ts'
import { createDirectAnswerer } from '../../workers/jobs/direct-answerer.ts'
import { listenOnSocket } from '../../workers/jobs/signing-socket.ts'
import { eventually } from '../harness/harness.ts'

const log = pino({ level: 'silent' })

/** A signing process whose requests wait until `answer`. */
async function startSigner() {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-socket-'))
  const folder = { path: join(dir, 'sockets'), prefix: 'test-' }
  const secrets = createSecrets([randomBytes(32)])
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const handlers = { signWebhooks: () => answered.then(() => ({ outcomes: [] })) }
  const answerer = createDirectAnswerer({ queue: 'signing', handlers, log, concurrency: 2 })
  const socket = await listenOnSocket({ folder, secrets, log, answer: answerer.answer })
  onTestFinished(() => {
    socket.close()
    socket.disconnect()
    rmSync(dir, { recursive: true, force: true })
  })
  const [path = ''] = await findSocketPaths(folder)
  return { path, secrets, socket, answer }
}

/** Opens a connection of a process with the service secret. */
async function openConnection({ path, secrets }: Awaited<ReturnType<typeof startSigner>>) {
  let isClosed = false
  const connection = connectToSigner(path, secrets, () => {
    isClosed = true
  })
  onTestFinished(() => connection.close())
  await eventually(async () => connection.isUsable())
  return { connection, isClosed: () => isClosed }
}

function ask(connection: SignerConnection): Promise<unknown> {
  const [id, name, payload] = [randomUUID(), 'signWebhooks' as const, { items: [] }]
  return connection.send({ id, name, payload, stored: () => ({ id, name, data: { payload } }) })
}

test('the requests of a connection fail when it is closed, so that they become jobs at once', async () => {
  const signer = await startSigner()
  const { connection } = await openConnection(signer)
  const asked = ask(connection)
  signer.socket.disconnect()
  await expect(asked).rejects.toThrow('closed')
})

test('a connection has at most 64 requests without an answer', async () => {
  const signer = await startSigner()
  const full = await openConnection(signer)
  const above = await openConnection(signer)
  const accepted = Array.from({ length: 64 }, () => ask(full.connection))
  const refused = await Promise.allSettled(Array.from({ length: 65 }, () => ask(above.connection)))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(above.isClosed()).toBe(true)
  expect(full.isClosed()).toBe(false)
  signer.answer()
  expect(await Promise.all(accepted)).toHaveLength(64)
})

/** Proves the service secret, and sends the length of a frame without its content. Resolves when the connection is closed. */
function closedAfterLength(path: string, bytes: number, prove: (signerNonce: Buffer) => Buffer[]): Promise<void> {
  const socket = connect(path)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  const header = Buffer.alloc(4)
  header.writeUInt32BE(bytes)
  let isFirst = true
  const frames = createFrames(socket, maxFrameBytes, (frame) => {
    if (!isFirst) return void socket.write(header)
    isFirst = false
    for (const content of prove(frame)) frames.write(content)
  })
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

test('a frame above the limit closes the connection before its content is received', async () => {
  const { path, secrets } = await startSigner()
  const ownNonce = randomBytes(32)
  const prove = (signerNonce: Buffer) => {
    const session = openCallerSession(secrets, Buffer.concat([signerNonce, ownNonce]))
    return [ownNonce, session.seal(readyMessage)]
  }
  await closedAfterLength(path, maxFrameBytes + 1, prove)
})

test.each([
  ['a random value', []],
  ['a proof of the service secret', [randomBytes(32)]],
])('a frame of more than 64 bytes instead of %s closes the connection', async (_name, before) => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-socket-'))
  const { promise: refused, resolve: refuse } = Promise.withResolvers<Error>()
  const options = { secrets: createSecrets([randomBytes(32)]), answer: async () => undefined, refuse }
  const server = createServer((socket) => serveCaller(socket, options)).listen(join(dir, 'any.sock'))
  const socket = connect(join(dir, 'any.sock'))
  onTestFinished(() => {
    socket.destroy()
    server.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const frames = createFrames(socket, maxFrameBytes, () => undefined)
  for (const content of before) frames.write(content)
  const header = Buffer.alloc(4)
  header.writeUInt32BE(65)
  socket.write(header)
  expect((await refused).message).toBe('The frame is too large.')
})
