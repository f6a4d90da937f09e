import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { createApi } from '../harness/api-client.ts'
import { newDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { freePort, startRedis } from '../harness/redis.ts'
import { inherited } from '../harness/started.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-dependencies-'))
const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

const web = ['api/main.ts']
const worker = ['workers/main.ts', 'relay', 'scheduler', 'delivery', 'analytics', 'upkeep']
const signing = ['workers/main.ts', 'signing']
/** That a process needs in production. */
const required = {
  PLATFORM_DOMAIN: 'localhost:3000',
  SIGNING_OPS_PORT: '0',
  WORKER_OPS_PORT: '0',
  SERVICE_SECRET: randomBytes(32).toString('base64'),
  KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
}
const startWithinMs = 60_000
const waiting = '"msg":"waiting for a dependency"'

test('without Redis and database the web process runs but is not ready, and workers wait until both are available', {
  timeout: 120_000,
}, async () => {
  const redisPort = await freePort()
  const [port, opsPort] = [await freePort(), await freePort()]
  const env = { PORT: String(port), OPS_PORT: String(opsPort), REDIS_URL: `redis://:whisper@127.0.0.1:${redisPort}/0` }
  // The worker's SQLite is always there: it waits for Redis alone.
  const database = await newDatabase(dir)
  const startedAt = performance.now()
  const api = run(web, { ...env, DATABASE_URL: `postgres://someone:whisper@127.0.0.1:1/nowhere?password=whisper` })
  const others = [worker, signing].map((words) => run(words, { ...env, DATABASE_URL: database.url }))
  const { get, post } = createApi(`http://127.0.0.1:${port}`, `test.localhost:${port}`)
  const statusAt = async (path: string) => (await get(path).catch(() => undefined))?.status
  await eventually(async () => (await statusAt('/health/live')) === 200, startWithinMs)
  expect(await get('/health/ready')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    body: { phase: 'starting', checks: { database: 'unavailable', redis: 'unavailable' } },
  })
  for (const answer of [await get('/v1/users'), await post('/v1/openid/nonce'), await get('/nothing/here')]) {
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2', 'x-request-id': expect.any(String) },
      body: { code: 'ServiceUnavailable' },
    })
  }
  for (const { output } of others) await eventually(async () => output().includes(waiting), startWithinMs)
  await eventually(async () => linesOf(api.output()).length >= 2, startWithinMs)
  await sleep(2_000)
  // One at once and then every ten seconds; on a busy machine the others have waited for the web process for a while.
  const most = 1 + Math.floor((performance.now() - startedAt) / 10_000)
  expect(linesOf(api.output()).length).toBeLessThanOrEqual(2 * most)
  expect(api.output()).toContain('"address":"postgres://127.0.0.1:1/nowhere"')
  for (const { output } of [api, ...others]) {
    expect(output()).toContain(`"address":"redis://127.0.0.1:${redisPort}/0","reason":"ECONNREFUSED"`)
    expect(output()).not.toContain('whisper')
  }
  for (const { output } of others) expect(linesOf(output()).length).toBeLessThanOrEqual(most)

  // A waiting process stops on SIGTERM.
  api.child.kill('SIGTERM')
  expect(await api.ended).toBe(0)
  const again = run(web, { ...env, DATABASE_URL: database.url })
  await eventually(async () => again.output().includes(waiting), startWithinMs)
  const redis = await startRedis({ port: redisPort })
  for (const { output } of others) await eventually(async () => output().includes('"msg":"working"'), startWithinMs)
  await eventually(async () => (await statusAt('/health/ready')) === 200, startWithinMs)
  const all = [again, ...others]
  for (const { child } of all) child.kill('SIGTERM')
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0])
  await redis.stop()
  await database.drop()
})

test('credentials that Redis refuses end each process with one line', { timeout: 120_000 }, async () => {
  const redis = await startRedis()
  const admin = connectPatient(redis.url)
  await admin.config('SET', 'requirepass', 'right')
  const database = await newDatabase(dir)
  for (const REDIS_URL of [redis.url, redis.url.replace('//', '//:whisper@')]) {
    for (const words of [web, worker]) {
      const { ended, output } = run(words, { REDIS_URL, DATABASE_URL: database.url })
      expect(await ended).toBe(1)
      expect(complaintsOf(output())).toEqual([`Redis at ${redis.url} refuses the user or password of REDIS_URL`])
      expect(output()).not.toContain('whisper')
    }
  }
  admin.disconnect()
  await redis.stop()
  await database.drop()
})

// Each process, and each code.
test.each([
  ['28P01', 'refuses the password', [web, signing, ['db/cli/migrate.ts']]],
  ['28000', 'refuses the user', [signing]],
  ['3D000', 'has no such database', [web]],
])(
  'a refusal of PostgreSQL with %s ends a process with one line',
  { timeout: 120_000 },
  async (code, words, commands) => {
    const port = await refusingPostgres(code)
    const DATABASE_URL = `postgres://someone:whisper@127.0.0.1:${port}/some`
    const REDIS_URL = 'redis://127.0.0.1:1'
    for (const command of commands) {
      const { ended, output } = run(command, { DATABASE_URL, REDIS_URL })
      expect(await ended).toBe(1)
      expect(complaintsOf(output())).toEqual([
        `PostgreSQL at postgres://127.0.0.1:${port}/some ${words} of DATABASE_URL`,
      ])
      expect(output()).not.toContain('whisper')
    }
  },
)

test.each([
  ['PORT', 'OPS_PORT'],
  ['OPS_PORT', 'PORT'],
])('a %s in use ends the process with one line', { timeout: 120_000 }, async (inUse, free) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : 0
  const env = { HOST: '127.0.0.1', [inUse]: String(port), [free]: String(await freePort()) }
  const { ended, output } = run(web, { ...env, REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: `file:${dir}/any.db` })
  expect(await ended).toBe(1)
  expect(complaintsOf(output())).toEqual([expect.stringMatching(`${inUse}\\).*EADDRINUSE`)])
  taken.close()
})

test('HOST and OPS_HOST set the addresses of a process, and metrics stay on loopback by default', {
  timeout: 120_000,
}, async () => {
  const [port, opsPort] = [await freePort(), await freePort()]
  const database = await newDatabase(dir)
  const env = { PORT: String(port), OPS_PORT: String(opsPort), DATABASE_URL: database.url }
  const at = async (url: string) => (await fetch(url).catch(() => undefined))?.status
  const first = run(web, { ...env, REDIS_URL: 'redis://127.0.0.1:1' })
  await eventually(async () => (await at(`http://127.0.0.2:${port}/health/live`)) === 200, startWithinMs)
  expect(await at(`http://127.0.0.1:${opsPort}/metrics`)).toBe(200)
  expect(await at(`http://127.0.0.2:${opsPort}/metrics`)).toBeUndefined()
  first.child.kill('SIGTERM')
  await first.ended
  const second = run(web, { ...env, REDIS_URL: 'redis://127.0.0.1:1', HOST: '127.0.0.1', OPS_HOST: '0.0.0.0' })
  await eventually(async () => (await at(`http://127.0.0.1:${port}/health/live`)) === 200, startWithinMs)
  expect(await at(`http://127.0.0.2:${port}/health/live`)).toBeUndefined()
  expect(await at(`http://127.0.0.2:${opsPort}/metrics`)).toBe(200)
  second.child.kill('SIGTERM')
  await second.ended
  await database.drop()
})

function run(words: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, words, {
    env: { ...inherited(), NODE_ENV: 'production', DATA_DIR: dir, STOP_NOTICE_MS: '0', ...required, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return { child, output: () => text, ended: once(child, 'close').then(([code]) => code) }
}

const linesOf = (output: string) => output.split('\n').filter((line) => line.includes(waiting))

/** Everything but information, and that Redis was waited for meanwhile. */
function complaintsOf(output: string): unknown[] {
  const lines = output.split('\n').filter((line) => line && !line.includes(waiting))
  return lines
    .map((line) => (line.startsWith('{') ? JSON.parse(line) : line))
    .filter((line) => typeof line === 'string' || line.level >= 40)
}

/** Refuses every connection in PostgreSQL's protocol, with an ErrorResponse to the start-up message. */
async function refusingPostgres(code: string): Promise<number> {
  const fields = Buffer.from(`SFATAL\0C${code}\0Mno, not you\0\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
