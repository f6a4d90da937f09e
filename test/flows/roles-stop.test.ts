import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFailed, test } from 'vitest'
import { eventually } from '../harness/harness.ts'
import { startProcesses } from '../harness/processes.ts'

test('a process of all roles answers a request that is still running when its longest notice ends, and exits with 0', async () => {
  await using service = await startProcesses({ STOP_NOTICE_MS: '5000' }, { names: ['all'] })
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const { port, hostname } = new URL(service.origin)
  const client = connect(Number(port), hostname)
  let received = ''
  client.on('data', (data) => {
    received += String(data)
  })
  client.on('error', () => undefined)
  const closed = once(client, 'close')
  client.write(
    `POST /oauth/token HTTP/1.1\r\nHost: ${new URL(service.tenant.baseUrl).host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{`,
  )
  // The server has read the head of the request when it writes this interim response.
  await eventually(async () => received.startsWith('HTTP/1.1 100 '))

  const exit = service.stop('all')
  await eventually(async () => !(await isListening(Number(port), hostname)))
  client.write('}')
  await closed
  expect(received).toMatch(/\r\n\r\nHTTP\/1\.1 400 /)
  expect(await exit).toBe(0)
  expect(service.output()).not.toContain('connections cut off')
})

async function isListening(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
