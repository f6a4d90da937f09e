import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { listen } from '../../api/listen.ts'
import { freePort } from '../harness/redis.ts'

const host = '127.0.0.1'

/** Slow enough that connections wait to be accepted. */
const busy: RequestListener = (_request, response) => {
  const endsAt = performance.now() + 1
  while (performance.now() < endsAt);
  response.setHeader('Connection', 'close').end('done')
}

/** Sixteen clients that connect repeatedly until the port is closed. Prints a line after 32 answers, then the number of each outcome. */
const clients = `
  const { connect } = require('node:net')
  const [port] = process.argv.slice(1)
  const counts = { answered: 0, refused: 0, reset: 0 }
  const request = () => new Promise((resolve) => {
    let isAnswered = false
    let failure
    const socket = connect(Number(port), '${host}', () => socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'))
    socket.on('data', () => { isAnswered = true }).on('error', ({ code }) => { failure = code })
    socket.on('close', () => resolve(isAnswered ? 'answered' : failure === 'ECONNREFUSED' ? 'refused' : 'reset'))
  })
  const client = async () => {
    for (let end; end !== 'refused'; ) {
      counts[(end = await request())]++
      if (end === 'answered' && counts.answered === 32) console.log('connected')
    }
  }
  Promise.all(Array.from({ length: 16 }, client)).then(() => console.log(JSON.stringify(counts)))`

test('a closing port does not reset connections of clients that connect repeatedly', async () => {
  const stops: { reset: number }[] = []
  const stopsWithoutReset = () => stops.filter(({ reset }) => reset === 0).length
  // A process that is suspended between its last poll and the close can reset some. That is rare, even on a busy machine.
  for (let turn = 0; turn < 12 && stopsWithoutReset() < 2; turn++) {
    const port = await freePort()
    const listener = await listen(busy, { host, port })
    const child = spawn(process.execPath, ['--eval', clients, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('connected')
    await listener.close(10_000)
    stops.push(JSON.parse((await lines.next()).value ?? ''))
  }
  for (const stop of stops) expect(stop).toMatchObject({ refused: 16 })
  expect(stopsWithoutReset()).toBe(2)
})

/** Returns whether nothing listens on the port any more. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, host)
  const outcome = await once(server, 'listening').catch(() => undefined)
  server.close()
  return outcome !== undefined
}

test('a connection from just before the port closes has time to send its request', async () => {
  const port = await freePort()
  const listener = await listen((_request, response) => void response.end('done'), { host, port })
  const socket = connect(port, host)
  await once(socket, 'connect')
  // The times of the port are measured with this clock, which otherwise stands.
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const closed = listener.close(10_000)
  now += 150
  await expect.poll(() => isFree(port)).toBe(true)
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
  await closed
})

test('an idle connection does not keep a port from closing', async () => {
  const port = await freePort()
  const listener = await listen(() => {}, { host, port })
  const socket = connect(port, host)
  await once(socket, 'connect')
  const ended = once(socket.resume(), 'close')
  await listener.close(60_000)
  await ended
})
