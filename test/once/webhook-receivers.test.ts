import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, joinService, type SharedService } from '../harness/harness.ts'
import type { Need } from '../harness/needs.ts'
import { freePort } from '../harness/redis.ts'
import { python } from '../verifiers/python.ts'

let service: SharedService
const dir = mkdtempSync(join(tmpdir(), 'webhook-receivers-'))
beforeAll(async () => {
  service = await joinService()
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

const folder = 'examples/webhook-receivers'

interface Sent {
  url: string
  headers: Record<string, string>
  body: string
}

interface Language {
  name: string
  tags: Need[]
  start(baseUrl: string, port: string): { command: string; args: string[]; env?: Record<string, string> }
}

/** Files of a tool go to a folder of the test. */
const go = { GOCACHE: join(dir, 'go'), GOPATH: join(dir, 'gopath'), GO111MODULE: 'off', GOFLAGS: '', HOME: dir }

const languages: Language[] = [
  {
    name: 'Node.js',
    tags: [],
    start: (...args) => ({ command: process.execPath, args: ['examples/webhook-receiver.mjs', ...args] }),
  },
  {
    name: 'Python',
    tags: ['cryptography'],
    start: (...args) => ({ command: python, args: [`${folder}/receiver.py`, ...args] }),
  },
  {
    name: 'Go',
    tags: ['go'],
    start: (...args) => ({ command: 'go', args: ['run', `${folder}/receiver.go`, ...args], env: go }),
  },
  {
    name: 'Java',
    tags: ['java'],
    start: (...args) => ({ command: 'java', args: [`${folder}/Receiver.java`, ...args] }),
  },
  {
    name: 'PHP',
    tags: ['php'],
    start: (baseUrl, port) => ({
      command: 'php',
      args: ['-S', `127.0.0.1:${port}`, `${folder}/receiver.php`],
      env: { BASE_URL: baseUrl, TMPDIR: dir },
    }),
  },
  {
    name: 'C#',
    tags: ['dotnet'],
    start: (...args) => ({ command: 'dotnet', args: ['run', '--project', folder, ...args] }),
  },
]

/** Starts a receiver and waits until it accepts connections. */
async function start({ start: commandOf }: Language) {
  const port = String(await freePort())
  const { command, args, env } = commandOf(service.baseUrl, port)
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const url = `http://127.0.0.1:${port}/hook`
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(output)
    return fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    )
  })
  return { url, output: () => output, [Symbol.asyncDispose]: () => stop(child) }
}

/** Ends the process and those that it started, such as a compiled program. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

/** Sends a request with exactly these headers. Returns the status. */
function send(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } }
    const sent = request(url, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end(body)
  })
}

/** Changes of a signed request, each of which must be refused. */
function changesOf(headers: Record<string, string>, body: string): Record<string, Partial<Sent>> {
  const input = headers['signature-input']!
  const having = (changed: Record<string, string>) => ({ headers: { ...headers, ...changed } })
  const { signature: _signature, 'signature-input': _input, ...unsigned } = headers
  const other = `${body} `
  const digest = createHash('sha256').update(other).digest('base64')
  const flipped = headers.signature!.replace(/(?<=:)./, (char) => (char === 'A' ? 'B' : 'A'))
  return {
    'no signature': { headers: unsigned },
    'another body': { body: other },
    'another body with its digest': { body: other, ...having({ 'content-digest': `sha-256=:${digest}:` }) },
    'another signature': having({ signature: flipped }),
    'an empty signature': having({ signature: 'sig1=::' }),
    'fewer covered parts': having({ 'signature-input': input.replace('"@authority" ', '') }),
    'another host': having({ host: 'other.example' }),
    'an old signature': having({ 'signature-input': input.replace(/created=\d+/, 'created=1700000000') }),
    'another type of event': having({ 'x-mattr-event-type': 'UserErased' }),
    'an unknown key': having({ 'signature-input': input.replace(/keyid="[^"]+"/, 'keyid="unknown"') }),
  }
}

describe.each(languages.map((language) => [language.name, language] as const))('%s', (_name, language) => {
  test('the receiver accepts a delivery and refuses every change of it', { tags: language.tags }, async () => {
    await using receiver = await start(language)
    const events = ['OpenIdCredentialIssued']
    const { body: webhook } = await service.operator.post('/v1/webhooks', { events, url: receiver.url })
    const path = `/v1/webhooks/${webhook.id}`
    await service.operator.post(`${path}/test`)
    const delivery = await eventually(async () => {
      const [found] = (await service.operator.get(`${path}/deliveries`)).body.data
      return found?.status === 'delivered' && found
    })
    expect(delivery.attempts).toMatchObject([{ status: 204 }])
    expect(receiver.output()).toContain(delivery.eventId)
    const attempt = `${path}/deliveries/${delivery.id}/attempts/${delivery.attempts[0].id}`
    const { headers, body } = (await service.operator.get(attempt)).body
    await service.operator.delete(path)

    expect(await send(receiver.url, headers, body)).toBe(204)
    for (const [change, changed] of Object.entries(changesOf(headers, body))) {
      const request = { url: receiver.url, headers, body, ...changed }
      expect([change, await send(request.url, request.headers, request.body)]).toEqual([change, 401])
    }
    expect(receiver.output().match(/refused: /g)?.length).toBeGreaterThan(8)
  })
})
