import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { multipart } from '../../../api/http/multipart/multipart.ts'
import { anyone, defineRoute } from '../../../api/http/route.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { type Kernel, startKernel } from '../../harness/kernel.ts'

const limitBytes = 2_000_000
const drainBytes = 8_000_000
const idleMs = 300
const common = {
  summary: 'Takes a body',
  tag: 'Test',
  method: 'POST',
  host: 'any',
  access: anyone,
  status: 200,
} as const

const file = defineRoute({
  ...common,
  operation: 'file',
  path: '/file',
  body: z.object({}),
  consumes: multipart({ file: 'document', limitBytes }),
  async handle({ file }) {
    for await (const _ of file().stream);
  },
})
const text = defineRoute({
  ...common,
  operation: 'text',
  path: '/text',
  body: z.object({ text: z.string() }),
  async handle() {},
})
const unread = defineRoute({
  ...common,
  operation: 'unread',
  path: '/unread',
  async handle() {
    throw new Problem('forbidden')
  },
})

/** A kernel that soon disconnects idle and slow clients. */
let kernel: Kernel
/** A kernel that disconnects only clients that send too much. */
let patient: Kernel
beforeAll(async () => {
  const start = (idleMs: number, totalMs: number) =>
    startKernel([file, text, unread], {}, { drain: { bytes: drainBytes, idleMs, totalMs } })
  ;[kernel, patient] = await Promise.all([start(idleMs, 2_000), start(60_000, 60_000)])
})
afterAll(async () => {
  await kernel[Symbol.asyncDispose]()
  await patient[Symbol.asyncDispose]()
})

const headOf = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', ...headers, '', ''].join('\r\n')
const next = 'GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

async function runScript(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return stdout
}

/** A client that sends everything before it reads, as many libraries do. */
async function sendThenRead({ origin }: Kernel, head: string, bytes: number, then = ''): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause()
  let failure: unknown
  socket.on('error', (error) => {
    failure = error
  })
  socket.write(head)
  for (let left = bytes; left > 0; left -= 100_000) {
    if (!socket.write(Buffer.alloc(Math.min(left, 100_000), 'x'))) await once(socket, 'drain')
    // The answer arrives while the client still sends.
    await sleep(1)
  }
  socket.write(then)
  await sleep(50)
  const answer = await socket.setEncoding('utf8').toArray()
  if (failure) throw failure
  return answer.join('')
}

describe('a body over its limit receives 413', () => {
  test('from fetch with FormData in another process', async () => {
    const answers = await runScript(`
      for (const moreBytes of [100, 200_000, 3_000_000]) {
        for (let turn = 0; turn < 10; turn++) {
          const body = new FormData()
          body.append('document', new File([new Uint8Array(${limitBytes} + moreBytes)], 'a.pdf'))
          const response = await fetch('${patient.origin}/file', { method: 'POST', body })
          console.log(response.status, (await response.json()).details[0].param)
        }
      }`)
    expect(answers.trim().split('\n')).toEqual(Array(30).fill('413 document'))
  })

  test.each([
    ['in JSON', '/text', 413],
    ['that no route reads', '/unread', 403],
  ])('%s from a client that sends everything before it reads', async (_what, path, status) => {
    const bytes = 5_000_000
    const length = `Content-Length: ${bytes}`
    const last = await sendThenRead(patient, headOf(path, length, 'Connection: close'), bytes)
    expect(last).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const kept = await sendThenRead(patient, headOf(path, length), bytes, next)
    expect(kept).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*HTTP/1\\.1 404 `))
  })

  test('with Connection: close before the connection closes, if it is far too long', async () => {
    const bytes = 2 * drainBytes
    const answer = await sendThenRead(kernel, headOf('/text', `Content-Length: ${bytes}`), drainBytes / 2)
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/)
  })
})

test('up to 16 MB of a body are read after its answer, if no limits are given', async () => {
  await using usual = await startKernel([text])
  const read = await sendThenRead(usual, headOf('/text', 'Content-Length: 16000000'), 16_000_000, next)
  expect(read).toMatch(/^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 404 /)
  const longer = await sendThenRead(usual, headOf('/text', 'Content-Length: 16000001'), 16_000_001, next)
  expect(longer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/)
})

test('a stalled process reads the bytes that arrived meanwhile and does not treat its client as idle', async () => {
  const bytes = 1_000_000
  const socket = connect(Number(new URL(kernel.origin).port), '127.0.0.1').setEncoding('utf8')
  const answers = socket.toArray()
  socket.write(headOf('/unread', `Content-Length: ${bytes}`))
  await once(socket, 'readable')
  socket.write(Buffer.alloc(bytes / 2, 'x'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * idleMs)
  await sleep(idleMs / 10)
  socket.write(Buffer.alloc(bytes / 2, 'x'))
  socket.write(next)
  expect((await answers).join('')).toMatch(/^HTTP\/1\.1 403 [\s\S]*HTTP\/1\.1 404 /)
})

describe('the service disconnects a client that', () => {
  async function sentUntilCut({ origin }: Kernel, head: string, chunk: Buffer | string, everyMs: number) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    const closed = new Promise<boolean>((resolve) => socket.on('error', () => {}).on('close', resolve))
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    socket.write(head)
    const sending = setInterval(() => socket.write(chunk), everyMs)
    await closed
    clearInterval(sending)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    return socket.bytesWritten
  }
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`

  test.each([
    ['sends chunks without end', 'Transfer-Encoding: chunked', chunk],
    ['sends a body of endless length', 'Content-Length: 1000000000000', Buffer.alloc(0x10000, 'x')],
  ])('%s', async (_what, header, sent) => {
    const bytes = await sentUntilCut(patient, headOf('/text', header), sent, 1)
    expect(bytes).toBeGreaterThan(drainBytes)
    expect(bytes).toBeLessThan(drainBytes + 50_000_000)
  })

  test.each([
    ['sends one byte every 100 ms', Buffer.from('x')],
    ['announces a length and sends nothing', Buffer.alloc(0)],
  ])('%s', async (_what, sent) => {
    const head = headOf('/text', 'Content-Length: 5000000')
    expect(await sentUntilCut(kernel, head, sent, 100)).toBeLessThan(1000)
  })
})
