import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { createCommands, type Ended, required, waiting } from '../harness/commands.ts'
import { newDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { freePort, startRedis } from '../harness/redis.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-refusals-'))
const { start, run, end } = createCommands({ ...required, DATA_DIR: dir })
afterAll(() => {
  end()
  rmSync(dir, { recursive: true, force: true })
})

const web = 'api/main.ts'
const worker = 'workers/main.ts relay scheduler delivery analytics upkeep'
const signing = 'workers/main.ts signing'
const noRedis = 'redis://127.0.0.1:1'

const freePorts = async () => ({ PORT: String(await freePort()), OPS_PORT: String(await freePort()) })

/** Runs the commands at the same time. */
const runAll = (commands: string[], env: Record<string, string>): Promise<Ended[]> =>
  Promise.all(commands.map(async (command) => run(command, { ...(await freePorts()), ...env })))

function expectOneLine({ code, output }: Ended, line: string): void {
  expect(code).toBe(1)
  expect(complaintsOf(output)).toEqual([line])
  expect(output).not.toContain('whisper')
}

test.concurrent('credentials that Redis refuses end each process with one line', { tags: 'redis' }, async () => {
  const redis = await startRedis()
  const admin = connectPatient(redis.url)
  await admin.config('SET', 'requirepass', 'right')
  const database = await newDatabase(mkdtempSync(join(dir, 'database-')))
  for (const REDIS_URL of [redis.url, redis.url.replace('//', '//:whisper@')]) {
    for (const ended of await runAll([web, worker], { REDIS_URL, DATABASE_URL: database.url }))
      expectOneLine(ended, `Redis at ${redis.url} refuses the user or password of REDIS_URL`)
  }
  admin.disconnect()
  await redis.stop()
  await database.drop()
})

// Each process, and each code.
test.concurrent.each([
  ['28P01', 'refuses the password', [web, signing, 'db/cli/migrate.ts']],
  ['28000', 'refuses the user', [signing]],
  ['3D000', 'has no such database', [web]],
])('a refusal of PostgreSQL with %s ends a process with one line', async (code, words, commands) => {
  const port = await refusingPostgres(code)
  const DATABASE_URL = `postgres://someone:whisper@127.0.0.1:${port}/some`
  for (const ended of await runAll(commands, { DATABASE_URL, REDIS_URL: noRedis }))
    expectOneLine(ended, `PostgreSQL at postgres://127.0.0.1:${port}/some ${words} of DATABASE_URL`)
})

test.concurrent.each(['PORT', 'OPS_PORT'])('a %s in use ends the process with one line', async (inUse) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : 0
  const env = { ...(await freePorts()), HOST: '127.0.0.1', [inUse]: String(port) }
  const { code, output } = await run(web, { ...env, REDIS_URL: noRedis, DATABASE_URL: `file:${dir}/any.db` })
  expect(code).toBe(1)
  expect(complaintsOf(output)).toEqual([expect.stringMatching(`${inUse}\\).*EADDRINUSE`)])
  taken.close()
})

test.concurrent('HOST and OPS_HOST set the addresses of a process, and metrics stay on loopback by default', async () => {
  const database = await newDatabase(mkdtempSync(join(dir, 'database-')))
  const [one, other] = [await freePorts(), await freePorts()]
  const env = { DATABASE_URL: database.url, REDIS_URL: noRedis }
  const at = async (url: string) => (await fetch(url).catch(() => undefined))?.status
  const first = start(web, { ...env, ...one })
  const second = start(web, { ...env, ...other, HOST: '127.0.0.1', OPS_HOST: '0.0.0.0' })
  await eventually(async () => (await at(`http://127.0.0.2:${one.PORT}/health/live`)) === 200)
  expect(await at(`http://127.0.0.1:${one.OPS_PORT}/metrics`)).toBe(200)
  expect(await at(`http://127.0.0.2:${one.OPS_PORT}/metrics`)).toBeUndefined()
  await eventually(async () => (await at(`http://127.0.0.1:${other.PORT}/health/live`)) === 200)
  expect(await at(`http://127.0.0.2:${other.PORT}/health/live`)).toBeUndefined()
  expect(await at(`http://127.0.0.2:${other.OPS_PORT}/metrics`)).toBe(200)
  for (const { process } of [first, second]) process.kill('SIGTERM')
  await Promise.all([first.ended, second.ended])
  await database.drop()
})

/** Everything but information and the waits for Redis. */
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
