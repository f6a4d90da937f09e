import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { allowSlowBody, createBodyWatch } from '../../../api/http/slow-bodies.ts'

/** Sends a byte of a body of 100 bytes every 20 ms, for `ms`. Returns whether the connection is still open then. */
async function sendSlowly(path: string, ms: number): Promise<boolean> {
  const watch = createBodyWatch({ limitMs: 150, checkEveryMs: 10 })
  const server = createServer((request) => {
    watch(request)
    if (request.url === '/upload') allowSlowBody(request)
    request.resume()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0), 'listening')
  const socket = connect((server.address() as AddressInfo).port)
  onTestFinished(() => void socket.destroy())
  let isOpen = true
  socket
    .on('error', () => {})
    .on('close', () => {
      isOpen = false
    })
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n`)
  for (const until = Date.now() + ms; Date.now() < until; ) {
    if (path !== '/silent' && isOpen) socket.write('x')
    await sleep(20)
  }
  return isOpen
}

test('the connection of a slow body is closed at the limit', async () => {
  expect(await sendSlowly('/other', 80)).toBe(true)
  expect(await sendSlowly('/other', 500)).toBe(false)
  expect(await sendSlowly('/silent', 500)).toBe(false)
})

test('an upload can take longer, as long as bytes arrive', async () => {
  expect(await sendSlowly('/upload', 500)).toBe(true)
})
