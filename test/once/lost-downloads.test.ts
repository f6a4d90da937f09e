import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { saveResults } from '../../api/cli/trustwright/bulk/results.ts'
import { createTrustwright } from '../../shared/client/client.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-lost-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Waits for `until` before a file is emptied. */
async function holdTruncation(until: () => Promise<unknown>): Promise<void> {
  const file = await open(join(dir, 'any'), 'w')
  const prototype = Object.getPrototypeOf(file)
  await file.close()
  const { truncate } = prototype
  vi.spyOn(prototype, 'truncate').mockImplementation(async function (this: unknown) {
    await until()
    return truncate.call(this)
  })
}

test('a download whose connection is lost while its file is emptied is repeated', async () => {
  let downloads = 0
  const server = createServer((request, response) => {
    if (request.url === '/oauth/token') {
      response.setHeader('Content-Type', 'application/json')
      return void response.end(JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: 3_600 }))
    }
    downloads++
    response.write('a part of the results')
    // The headers and the part have been sent.
    setImmediate(() => setImmediate(() => response.destroy()))
  })
  const closed: Promise<unknown>[] = []
  server.on('connection', (socket) => closed.push(once(socket, 'close')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // The client has seen the end of its connection when a later one has been answered.
  await holdTruncation(async () => {
    await Promise.all(closed)
    await fetch(`${baseUrl}/oauth/token`, { headers: { Connection: 'close' } }).then((answer) => answer.text())
  })
  const client = createTrustwright({ baseUrl, clientId: 'client', clientSecret: 'secret', maxRetryMs: 0 })
  const file = join(dir, 'results.csv')
  try {
    await expect(saveResults(client, 'id', file, new AbortController().signal)).rejects.toThrow('terminated')
    expect([downloads, existsSync(file), existsSync(`${file}.part`)]).toEqual([3, false, false])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
