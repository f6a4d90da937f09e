import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { multipart } from '../../../api/http/multipart/multipart.ts'
import { anyone, defineRoute } from '../../../api/http/route.ts'
import type { BodyLimits } from '../../../api/http/slow-bodies.ts'
import { startKernel } from '../../harness/kernel.ts'

const bodies: BodyLimits = { limitMs: 300, checkEveryMs: 10, minUploadBytes: 20, maxUploadMs: 60_000 }
/** The outcomes of the handler. */
const ends: string[] = []

const common = {
  summary: 'Takes a body',
  tag: 'Test',
  method: 'POST',
  host: 'any',
  access: anyone,
  status: 200,
  body: z.object({ title: z.string().optional() }),
} as const
const routes = [
  defineRoute({
    ...common,
    operation: 'upload',
    path: '/upload',
    consumes: multipart({ file: 'file', limitBytes: 1_000_000 }),
    async handle({ file }) {
      try {
        for await (const _ of file().stream);
        ends.push('read')
      } catch (error) {
        ends.push(String(error))
        throw error
      }
    },
  }),
  defineRoute({ ...common, operation: 'other', path: '/other', async handle() {} }),
]

const fileHead = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

/** The limits are measured with `performance.now()`. Returns a function that moves this clock, which otherwise stands. */
function controlTime() {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return (ms: number) => {
    now += ms
  }
}

/**
 * Sends some bytes of a long body every 30 ms of the moved clock, for `ms`. Returns the answer, if there is one, and whether the connection
 * is open then.
 */
async function sendSlowly(path: string, each: string, ms: number, limits: Partial<BodyLimits> = {}, head = fileHead) {
  const passes = controlTime()
  const kernel = await startKernel(routes, {}, { bodies: { ...bodies, ...limits } })
  onTestFinished(() => kernel[Symbol.asyncDispose]())
  const socket = connect(Number(new URL(kernel.origin).port))
  onTestFinished(() => void socket.destroy())
  let isOpen = true
  let answer = ''
  socket
    .on('error', () => {})
    .on('data', (bytes) => {
      answer += bytes
    })
    .on('close', () => {
      isOpen = false
    })
  const type = path === '/upload' ? 'multipart/form-data; boundary=x' : 'application/json'
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n${head}`)
  for (let passedMs = 0; passedMs < ms && answer === ''; passedMs += 30) {
    if (isOpen && each !== '') socket.write(each)
    // The server is in this process. It reads the bytes and checks its requests once in the meantime.
    await sleep(bodies.checkEveryMs + 5)
    passes(30)
  }
  return { answer, isOpen }
}

test('the connection of a slow body is closed at the limit', async () => {
  expect(await sendSlowly('/other', 'x', 100, {}, '')).toEqual({ answer: '', isOpen: true })
  expect(await sendSlowly('/other', 'x', 800, {}, '')).toEqual({ answer: '', isOpen: false })
  expect(await sendSlowly('/other', '', 800, {}, '')).toEqual({ answer: '', isOpen: false })
})

test('an upload can take longer, as long as it sends enough', async () => {
  expect(await sendSlowly('/upload', 'x'.repeat(20), 1_000)).toEqual({ answer: '', isOpen: true })
})

const slowUploads: [name: string, each: string, limits: Partial<BodyLimits>, head: string][] = [
  ['sends too little', 'x', {}, fileHead],
  ['sends nothing', '', {}, fileHead],
  ['sends too little before its file', 'x', {}, '--x\r\n'],
  ['takes too long', 'x'.repeat(20), { maxUploadMs: 500 }, fileHead],
]
test.each(slowUploads)('an upload that %s ends with 408', async (_name, each, limits, head) => {
  ends.length = 0
  const { answer } = await sendSlowly('/upload', each, 3_000, limits, head)
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"RequestTimeout"/)
  // The handler removes what it has stored, and gives its slot back.
  if (head === fileHead && each !== '') expect(ends).toContainEqual(expect.stringContaining('too slow'))
})
