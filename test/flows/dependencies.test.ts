import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createApi } from '../harness/api-client.ts'
import { createCommands, required, waiting } from '../harness/commands.ts'
import { newDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { freePort, startRedis } from '../harness/redis.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-dependencies-'))
const { start, end } = createCommands({ ...required, DATA_DIR: dir })
afterAll(() => {
  end()
  rmSync(dir, { recursive: true, force: true })
})

const web = 'api/main.ts'
const worker = 'workers/main.ts relay scheduler delivery analytics upkeep'
const signing = 'workers/main.ts signing'

test('without Redis and database the web process runs but is not ready, and workers wait until both are available', async () => {
  const redisPort = await freePort()
  const [port, opsPort] = [await freePort(), await freePort()]
  const env = { PORT: String(port), OPS_PORT: String(opsPort), REDIS_URL: `redis://:whisper@127.0.0.1:${redisPort}/0` }
  // The worker's SQLite is always there: it waits for Redis alone.
  const database = await newDatabase(dir)
  const startedAt = performance.now()
  const api = start(web, { ...env, DATABASE_URL: `postgres://someone:whisper@127.0.0.1:1/nowhere?password=whisper` })
  const others = [worker, signing].map((words) => start(words, { ...env, DATABASE_URL: database.url }))
  const { get, post } = createApi(`http://127.0.0.1:${port}`, `test.localhost:${port}`)
  const statusAt = async (path: string) => (await get(path).catch(() => undefined))?.status
  await eventually(async () => (await statusAt('/health/live')) === 200)
  expect(await get('/health/ready')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    body: { phase: 'starting', checks: { database: 'unavailable', redis: 'unavailable' } },
  })
  const refused = { status: 503, headers: { 'retry-after': '2', 'x-request-id': expect.any(String) } }
  for (const answer of [await get('/v1/users'), await get('/nothing/here')])
    expect(answer).toMatchObject({ ...refused, body: { code: 'ServiceUnavailable' } })
  expect(await post('/v1/openid/nonce')).toMatchObject({ ...refused, body: { error: 'temporarily_unavailable' } })
  for (const { output } of others) await eventually(async () => output().includes(waiting))
  await eventually(async () => linesOf(api.output()).length >= 2)
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
  api.process.kill('SIGTERM')
  expect((await api.ended).code).toBe(0)
  const again = start(web, { ...env, DATABASE_URL: database.url })
  await eventually(async () => again.output().includes(waiting))
  const redis = await startRedis({ port: redisPort })
  for (const { output } of others) await eventually(async () => output().includes('"msg":"working"'))
  await eventually(async () => (await statusAt('/health/ready')) === 200)
  const all = [again, ...others]
  for (const { process } of all) process.kill('SIGTERM')
  expect((await Promise.all(all.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0, 0])
  await redis.stop()
  await database.drop()
})

const linesOf = (output: string) => output.split('\n').filter((line) => line.includes(waiting))
