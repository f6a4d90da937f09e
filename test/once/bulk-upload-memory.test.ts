import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program } from '../harness/command-line.ts'
import { inherited } from '../harness/started.ts'

const megabyte = 1_000_000

test('the command line uploads a file of 500 MB with less than 300 MB of memory', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-upload-'))
  const file = join(dir, 'people.csv')
  writeFileSync(file, '')
  truncateSync(file, 500 * megabyte)
  let receivedBytes = 0
  const server = createServer(async (request, response) => {
    for await (const chunk of request) receivedBytes += chunk.length
    const isToken = request.url === '/oauth/token'
    response.writeHead(isToken ? 200 : 409, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isToken ? { access_token: 'token', expires_in: 3600 } : { message: 'refused' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const env = {
    ...inherited(),
    TRUSTWRIGHT_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ TRUSTWRIGHT_CLIENT_ID: 'id', TRUSTWRIGHT_CLIENT_SECRET: 'secret' },
  }
  const columns = ['-c', randomUUID(), '--external-id', 'number']
  const args = ['bulk', 'run', file, '--out', join(dir, 'results.csv'), ...columns]
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'ignore' })
  let mostBytes = 0
  const timer = setInterval(() => {
    mostBytes = Math.max(mostBytes, peakOf(child.pid))
  }, 20)
  try {
    expect(await once(child, 'exit')).toEqual([1, null])
  } finally {
    clearInterval(timer)
    server.close()
    rmSync(dir, { recursive: true })
  }
  expect(receivedBytes).toBeGreaterThan(500 * megabyte)
  expect(mostBytes).toBeGreaterThan(0)
  expect(mostBytes).toBeLessThan(300 * megabyte)
})

/** Returns the largest resident memory of a process in bytes, or 0 after its end. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
