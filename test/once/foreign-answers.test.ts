import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CommandLine, newCommandLine, program } from '../harness/command-line.ts'
import { startReceiver } from '../servers/receiver.ts'

/** A service that returns what a test wants. Each request is recorded as `GET /path`. */
let server: Server
let answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void>
let requests: string[]
let line: CommandLine
let baseUrl: string
let env: Record<string, string>

beforeAll(async () => {
  server = createServer((request, response) => {
    const operation = `${request.method} ${request.url}`
    requests.push(operation)
    const answer = answers[operation]
    if (answer) return answer(response, request)
    json(response, operation === 'POST /oauth/token' ? { access_token: 'token', expires_in: 300 } : {}, 200)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  line = newCommandLine({ baseUrl, clientId: 'id', clientSecret: 'secret' })
  env = { TRUSTWRIGHT_BASE_URL: baseUrl, TRUSTWRIGHT_CLIENT_ID: 'id', TRUSTWRIGHT_CLIENT_SECRET: 'secret' }
})
beforeEach(() => {
  answers = {}
  requests = []
})
afterAll(() => {
  line.end()
  server.closeAllConnections()
  server.close()
})

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

test.each([
  ['objects', '../../outside'],
  ['objects', '/tmp/outside'],
  ['objects', 'webhooks/../../../outside'],
  ['objects', '.git/hooks/post-checkout'],
  ['objects', '__proto__'],
  ['schemas', '..'],
  ['schemas', '../../outside'],
])('config export writes no file if the %s have the path %j', async (member, path) => {
  const bodies: Record<string, object> = { objects: { tenant: { name: 'Acme' } }, schemas: { tenant: {} } }
  bodies[member] = JSON.parse(`{"tenant": {}, ${JSON.stringify(path)}: {"certificatePem": "x"}}`)
  answers['GET /v1/configuration'] = (response) => json(response, { objects: bodies.objects })
  answers['GET /v1/configuration/schemas'] = (response) => json(response, { schemas: bodies.schemas })
  const folder = join(line.dir, 'exported', 'tenant')
  const { code, stdout, stderr } = await line.run(['config', 'export', '--folder', folder], { env })
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`"${path}"`)])
  expect(existsSync(folder)).toBe(false)
  expect(readdirSync(line.dir)).toEqual([])
})

/** Starts `webhooks listen`, whose service has these requests for it, and returns what it prints for each. */
async function listen(forwardTo: string, given: object[], prepare: () => void = () => undefined): Promise<object[]> {
  let created = 0
  answers['POST /v1/webhooks/listeners'] = (response) => json(response, { id: `listener-${++created}` }, 201)
  const stream = (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const [id, request] of given.entries()) {
      response.write(`id: ${id + 1}\nevent: request\ndata: ${JSON.stringify(request)}\n\n`)
    }
  }
  for (const id of ['listener-1', 'listener-2']) answers[`GET /v1/webhooks/listeners/${id}/stream`] = stream
  prepare()
  const child = spawn(process.execPath, [program, 'webhooks', 'listen', '--forward-to', forwardTo, '--json'], {
    env: { ...process.env, ...env },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const printed: object[] = []
  while (printed.filter((each) => 'isReported' in each).length < given.length) {
    const { value, done } = await lines.next()
    if (done) break
    printed.push(JSON.parse(value))
  }
  child.kill('SIGINT')
  if (child.exitCode === null) await once(child, 'close')
  return printed
}

const signed = { method: 'POST', target: '/hooks', headers: { 'X-Signed': 'yes' }, body: '{"event": {"type": "Test"}}' }

test('webhooks listen sends requests to no other origin than that of --forward-to', async () => {
  await using receiver = await startReceiver()
  const { host } = new URL(receiver.url)
  const targets = ['.evil.example/hooks', `@${host}/hooks`, `//${host}.evil.example/`, `http://${host}0/`, ':1/', 'x']
  const wrong = [...targets.map((target) => ({ target })), { method: 'DELETE' }, { body: 'not JSON' }]
  const tokens = [...wrong.map((each) => ({ ...signed, ...each })), signed]
  const printed = await listen(receiver.url, tokens)
  const answered = printed.filter((each) => 'isReported' in each)
  expect(answered.filter((each) => 'status' in each)).toHaveLength(1)
  expect(answered.filter((each) => 'error' in each)).toHaveLength(wrong.length)
  expect(receiver.deliveries).toHaveLength(1)
})

test('webhooks listen sends a request once that the next stream has again', async () => {
  await using receiver = await startReceiver()
  const eventOf = (id: number) => `id: ${id}\nevent: request\ndata: ${JSON.stringify(signed)}\n\n`
  let streams = 0
  await listen(receiver.url, [signed, signed], () => {
    answers['GET /v1/webhooks/listeners/listener-1/stream'] = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(eventOf(1))
      if (streams++ === 0) response.end()
      else response.write(eventOf(2))
    }
  })
  expect(streams).toBe(2)
  expect(receiver.deliveries).toHaveLength(2)
})

test('webhooks listen makes a new listener after the lease of its listener has ended', async () => {
  await using receiver = await startReceiver()
  const printed = await listen(receiver.url, [signed], () => {
    answers['GET /v1/webhooks/listeners/listener-1/stream'] = (response) =>
      json(response, { code: 'NotFound', message: 'Not found' }, 404)
  })
  expect(printed).toMatchObject([
    { webhookId: 'listener-1', forwardTo: receiver.url },
    { webhookId: 'listener-2', forwardTo: receiver.url },
    { status: 200 },
  ])
  expect(requests.at(-1)).toBe('DELETE /v1/webhooks/listener-2')
})
