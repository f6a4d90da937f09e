import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { saveResults } from '../../api/cli/trustwright/bulk/results.ts'
import { createTrustwright } from '../../shared/client/client.ts'
import { eventually } from '../harness/harness.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-lost-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Waits for `until` before a file is emptied. */
async function holdTruncation(until: () => Promise<unknown>): Promise<void> {
  const file = await open(join(dir, 'any'), 'w')
  const prototype = Object.getPrototypeOf(file)
  await file.close()
  const { truncate } = prototype
  vi.spyOn(prototype, 'truncate').mockImplementation(async function (this: unknown, ...input: unknown[]) {
    await until()
    return truncate.call(this, ...input)
  })
}

const saving = { signal: new AbortController().signal, stderr: process.stderr }

/** Starts a service that gives tokens. `answer` answers its other requests. */
async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    if (request.url !== '/oauth/token') return answer(request, response)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: 3_600 }))
  })
  const closed: Promise<unknown>[] = []
  server.on('connection', (socket) => closed.push(once(socket, 'close')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createTrustwright({ baseUrl, clientId: 'client', clientSecret: 'secret', maxRetryMs: 0 })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { baseUrl, client, closed, [Symbol.dispose]: close }
}

test('a download whose connection is lost while its file is emptied is repeated', async () => {
  let downloads = 0
  using server = await startServer((_request, response) => {
    downloads++
    response.write('a part of the results')
    // The headers and the part have been sent.
    setImmediate(() => setImmediate(() => response.destroy()))
  })
  const { baseUrl, client, closed } = server
  // The client has seen the end of its connection when a later one has been answered.
  await holdTruncation(async () => {
    await Promise.all(closed)
    await fetch(`${baseUrl}/oauth/token`, { headers: { Connection: 'close' } }).then((answer) => answer.text())
  })
  const file = join(dir, 'results.csv')
  await expect(saveResults(client, 'id', file, saving)).rejects.toThrow('terminated')
  expect([downloads, existsSync(file), existsSync(`${file}.part`)]).toEqual([3, false, false])
})

test('a download that is cut off begins again if the results have changed', async () => {
  const file = join(dir, 'changed.csv')
  const asked: (string | undefined)[] = []
  using server = await startServer(({ method, url }, response) => {
    if (method !== 'GET') return void response.writeHead(204).end()
    const afterRow = new URL(url ?? '', 'http://localhost').searchParams.get('afterRow') ?? undefined
    asked.push(afterRow)
    response.setHeader('ETag', asked.length === 1 ? '"1"' : '"2"')
    if (asked.length > 1) return void response.end(afterRow ? '3\r\n' : 'row\r\n1\r\n3\r\n')
    response.write('row\r\n1\r\n2\r\n3')
    // The command has stored the part.
    void eventually(async () => statSync(`${file}.part`).size > 0).then(() => response.destroy())
  })
  await saveResults(server.client, 'id', file, saving)
  expect([asked, readFileSync(file, 'utf8')]).toEqual([[undefined, '2', undefined], 'row\r\n1\r\n3\r\n'])
})

test.each([
  [204, ''],
  [409, ''],
  [403, /^The results are saved, but .* after an hour: Not yours\n$/],
])('saved results whose confirmation is answered with %i stay, and a failure is named', async (status, warning) => {
  using server = await startServer(({ method }, response) => {
    if (method === 'GET') return void response.end('row\r\n1\r\n')
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(status === 204 ? undefined : JSON.stringify({ code: 'Any', message: 'Not yours' }))
  })
  const file = join(dir, `confirmed-${status}.csv`)
  const written: unknown[] = []
  const stderr = { write: (text: unknown) => written.push(text) > 0 }
  await saveResults(server.client, 'id', file, { ...saving, stderr })
  expect([readFileSync(file, 'utf8'), written.join('')]).toEqual([
    'row\r\n1\r\n',
    warning === '' ? '' : expect.stringMatching(warning),
  ])
})
