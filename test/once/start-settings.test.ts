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
import { afterAll, expect, test } from 'vitest'
import { createCommands } from '../harness/commands.ts'
import { eventually } from '../harness/harness.ts'
import { freePort } from '../harness/redis.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-settings-'))
const { start, run, end } = createCommands({ DATA_DIR: join(dir, 'data'), SIGNING_OPS_PORT: '0', WORKER_OPS_PORT: '0' })
afterAll(() => {
  end()
  rmSync(dir, { recursive: true, force: true })
})

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
  'workers/signing/moves/main.ts import any.export --folder any',
  'workers/signing/keys/pkcs11/import-key.ts --tenant any --certificate any',
  'db/cli/migrate.ts',
  'db/cli/restored.ts',
  'db/cli/verify-audit.ts',
  'db/cli/export-erasures.ts --since 2026-11-01',
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
    QUEUE: 'redis',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: '',
    PATH: `${folder}:${process.env.PATH}`,
    PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
    PROVIDER_PORT: '0',
  })
  await eventually(
    async () => child.output().includes('Please wait: redis-server loads its data (3 s so far).'),
    60_000,
  )
  child.process.kill('SIGTERM')
  expect((await child.ended).code).toBe(0)
  expect(child.output()).toMatch(/\nStopping\.\nPlease wait: stopping redis \(3 s so far\)\.\n$/)
})

test('an unknown worker role is refused', async () => {
  const { code, stderr } = await run('workers/main.ts relay signng', {})
  expect(code).toBe(2)
  expect(stderr).toMatch(/^node workers\/main\.ts ROLE\.\.\.: .*signing-bulk.*\n$/)
})
