import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { insertKeys, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { systemClock } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { readHeartbeats } from '../../shared/jobs/heartbeat.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { createSecrets } from '../../shared/secrets.ts'
import { createKeyring } from '../../workers/signing/keyring.ts'
import { newServerDatabase, openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { addLaterMigration } from '../harness/migration-table.ts'
import { freePort, startRedis } from '../harness/redis.ts'
import { inherited } from '../harness/started.ts'

/** A busy machine takes its time to start a process. */
vi.setConfig({ testTimeout: 120_000 })
const dir = mkdtempSync(join(tmpdir(), 'trustwright-settings-'))
const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL') // what did not end by itself
  rmSync(dir, { recursive: true, force: true })
})

const newKey = () => randomBytes(32).toString('base64')
const production = { NODE_ENV: 'production', SERVICE_SECRET: newKey(), PLATFORM_DOMAIN: 'issuer.example' }

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

const run = (words: string, env: Record<string, string>): Promise<Ended> => start(words, env).ended

function start(words: string, env: Record<string, string>) {
  const child = spawn(process.execPath, words.split(' '), {
    env: { ...inherited(), DATA_DIR: join(dir, 'data'), SIGNING_OPS_PORT: '0', WORKER_OPS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ...said }))
  return { process: child, said, ended }
}

/** A database without tables. A process that needs them ends after it has loaded everything. */
function emptyDatabaseFolder(): string {
  const folder = mkdtempSync(join(dir, 'empty-'))
  writeFileSync(join(folder, 'trustwright.db'), '')
  return folder
}

const cachingIn = (dataDir: string) => ({ DATA_DIR: dataDir, DATABASE_URL: '', NODE_COMPILE_CACHE: '' })

const countFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

/** Folders of caches, one for each version of Node and each user. */
const countCaches = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('v2')).length : 0

/** The commands of an operator. Those for database files are only for SQLite. */
const entries = [
  'api/main.ts',
  'api/cli/init.ts',
  'api/cli/reseal.ts',
  'api/cli/console-link.ts --tenant localhost',
  'workers/main.ts signing signing-bulk',
  'workers/main.ts relay',
  'db/cli/migrate.ts',
  'db/cli/restored.ts',
  'db/cli/verify-audit.ts',
  'db/cli/backup.ts there',
  'db/cli/restore.ts there',
  'shared/launcher/start.ts',
]

test.concurrent.each(entries)(
  '%s exits with one line that names the wrong setting, before it loads the rest',
  async (entry) => {
    const loaded = mkdtempSync(join(dir, 'loaded-'))
    const env = { DATABASE_URL: 'mysql://someone:whisper@database/some', NODE_COMPILE_CACHE: loaded }
    const { code, stdout, stderr } = await run(entry, env)
    expect(code).toBe(1)
    expect(stderr.trim()).toMatch(/^DATABASE_URL must be file:PATH or postgres:.*percent-encoded\.$/)
    expect(stdout).toBe(entry.includes('launcher') ? 'Trustwright is starting. This takes some seconds.\n' : '')
    // Those that read the settings, Zod among them. A whole process is some 1,400 to 2,400.
    expect(countFiles(loaded)).toBeLessThan(200)
  },
)

test.concurrent.each([
  ['api/main.ts', 1_000],
  ['workers/main.ts relay', 1_000],
])('%s without options stores its compiled code in DATA_DIR, for its user only', async (entry, least) => {
  const dataDir = emptyDatabaseFolder()
  await run(entry, cachingIn(dataDir))
  const folder = join(dataDir, 'compile-cache')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(countFiles(folder)).toBeGreaterThan(least)
})

test.concurrent.each([
  ['DATA_DIR', (dataDir: string) => chmodSync(dataDir, 0o770)],
  ['the cache', (dataDir: string) => mkdirSync(join(dataDir, 'compile-cache'), { mode: 0o777 })],
  ['the target of a link', (dataDir: string) => symlinkSync(tmpdir(), join(dataDir, 'compile-cache'))],
])('compiled code is neither stored nor read where other users can write to %s', async (_place, open) => {
  const dataDir = emptyDatabaseFolder()
  open(dataDir)
  const folder = join(dataDir, 'compile-cache')
  if (existsSync(folder) && !lstatSync(folder).isSymbolicLink()) chmodSync(folder, 0o777) // the umask took some away
  const before = countCaches(folder)
  const { code } = await run('db/cli/verify-audit.ts', cachingIn(dataDir))
  expect(code).toBe(1)
  expect(countCaches(folder)).toBe(before)
})

test.concurrent('`npm start -- --help` prints the usage, and other arguments are refused', async () => {
  const help = await run('shared/launcher/start.ts --help', {})
  expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('NODE_ENV=production npm start') })
  const other = await run('shared/launcher/start.ts --port 8080', {})
  expect(other).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('has no argument --port 8080.') })
})

test.concurrent('`npm start` prints what it waits for when a step of its start or stop takes 3 s', async () => {
  const folder = mkdtempSync(join(dir, 'slow-redis-'))
  // It never loads its data, and ends 4 s after the signal.
  const script = "#!/bin/sh\ntrap 'sleep 4; exit 0' TERM\nwhile :; do sleep 0.1; done\n"
  writeFileSync(join(folder, 'redis-server'), script, { mode: 0o755 })
  const child = start('shared/launcher/start.ts', {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: '',
    PATH: `${folder}:${process.env.PATH}`,
    PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
    PROVIDER_PORT: '0',
  })
  await eventually(
    async () => child.said.stdout.includes('Please wait: redis-server loads its data (3 s so far).'),
    60_000,
  )
  child.process.kill('SIGTERM')
  expect((await child.ended).code).toBe(0)
  expect(child.said.stdout).toMatch(/\nStopping\.\nPlease wait: stopping redis \(3 s so far\)\.\n$/)
})

test('an unknown worker role is refused', async () => {
  const { code, stderr } = await run('workers/main.ts relay signng', {})
  expect(code).toBe(2)
  expect(stderr).toMatch(/^node workers\/main\.ts ROLE\.\.\.: .*signing-bulk.*\n$/)
})

test('a database without migrations ends each process that needs its tables with one line, and `db/cli/migrate.ts` prints what it does', async () => {
  const database =
    dialect === 'postgres'
      ? await newServerDatabase(`test_${newId().replaceAll('-', '')}`, 'SELECT 1')
      : { url: `file:${join(dir, 'unmigrated.db')}`, drop: async () => undefined }
  const env = {
    ...production,
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://127.0.0.1:1',
    KEY_ENCRYPTION_KEY: newKey(),
  }
  if (dialect === 'sqlite') writeFileSync(database.url.slice('file:'.length), '')
  const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()) }
  const needTables = ['api/main.ts', 'api/cli/init.ts', 'workers/main.ts signing', 'db/cli/restored.ts']
  const ended = await Promise.all(
    needTables.map(async (entry) => ({ entry, ...(await run(entry, { ...env, ...ports })) })),
  )
  for (const { entry, code, stderr } of ended) {
    expect([entry, code]).toEqual([entry, 1])
    expect(stderr).toMatch(
      /^The database at (file|postgres):\S+ is not migrated: it lacks all migrations of this version\. Run `node db\/cli\/migrate\.ts` with the same DATABASE_URL\.\n$/,
    )
  }
  const migrate = async () => (await run('db/cli/migrate.ts', env)).stdout
  // On SQLite the file may be checked first: the processes above have opened it.
  expect(await migrate()).toMatch(
    /(?:^|\n)The database at \S+ lacks (\d+) migrations of this version\. They are run now\.\nThe database at \S+ has all \1 migrations of this version: \1 were run now\.\n$/,
  )
  expect(await migrate()).toMatch(
    /^The database at \S+ has all \d+ migrations of this version: nothing had to be done\.\n$/,
  )
  await addLaterMigration(database.url)
  expect(await migrate()).toMatch(
    /nothing had to be done\. It also has migrations of a later version \(1\), which were not changed\.\n$/,
  )
  const { code, stderr } = await run('db/cli/migrate.ts', { NODE_ENV: 'production' })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATABASE_URL is missing\. Set it in production .*\n$/)])
  await database.drop()
})

test('a signing process with another key-encryption key exits with one line before it works, and readiness reports it', async () => {
  const redis = await startRedis()
  const database = await openNewDatabase()
  const row = createKeyring([randomBytes(32)]).newKey(
    { tenantId: newId(), owner: tenantOwner, purpose: 'did', algorithm: 'ES256' },
    systemClock.now(),
  )
  await database.db.tx((tx) => insertKeys(tx, [row]))
  const KEY_ENCRYPTION_KEY = newKey()
  const env = { ...production, DATABASE_URL: database.url, REDIS_URL: redis.url, KEY_ENCRYPTION_KEY }
  const { code, stdout, stderr } = await run('workers/main.ts signing signing-bulk', env)
  expect(code).toBe(1)
  expect(stdout).not.toContain('"msg":"working"')
  expect(stderr).toMatch(/^KEY_ENCRYPTION_KEY opens no private key in the database.*\.\n$/)
  expect(stderr).not.toContain(KEY_ENCRYPTION_KEY)

  const connection = connectPatient(redis.url)
  const secrets = createSecrets([Buffer.from(production.SERVICE_SECRET, 'base64')])
  expect(await readHeartbeats(connection, { prefix: 'trustwright', secrets })).toEqual({
    isRunning: false,
    hasOtherSecret: false,
    cannotOpenKeys: true,
    clocksAheadMs: [{ process: 'signing', aheadMs: expect.any(Number) }],
  })
  connection.disconnect()
  await redis.stop()
  await database.drop()
})
