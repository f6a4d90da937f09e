import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { insertKeys, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { systemClock } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { readHeartbeats } from '../../shared/jobs/heartbeat.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import { createCommands } from '../harness/commands.ts'
import { newServerDatabase, openNewDatabase } from '../harness/database.ts'
import { addLaterMigration } from '../harness/migration-table.ts'
import { freePort, startRedis } from '../harness/redis.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-settings-'))
const { run, end } = createCommands({ DATA_DIR: join(dir, 'data'), SIGNING_OPS_PORT: '0', WORKER_OPS_PORT: '0' })
afterAll(() => {
  end()
  rmSync(dir, { recursive: true, force: true })
})

const newKey = () => randomBytes(32).toString('base64')
const production = { NODE_ENV: 'production', SERVICE_SECRET: newKey(), PLATFORM_DOMAIN: 'issuer.example' }

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
      /^The database at (file|postgres):\S+ is not migrated: it lacks .+ of this version\. Run `node db\/cli\/migrate\.ts` with the same DATABASE_URL\.\n$/,
    )
  }
  const migrate = async () => (await run('db/cli/migrate.ts', env)).stdout
  // On SQLite the file may be checked first: the processes above have opened it.
  expect(await migrate()).toMatch(
    /(?:^|\n)The database at \S+ lacks migrations of this version \(\d+\)\. They are run now\.\nThe database at \S+ has all migrations of this version\. Run now: 0000_baseline\S*( \S+)*\.\n$/,
  )
  expect(await migrate()).toMatch(
    /^The database at \S+ has all migrations of this version\. Nothing had to be done\.\n$/,
  )
  await addLaterMigration(database.url)
  expect(await migrate()).toMatch(
    /Nothing had to be done\. It also has migrations of a later version \(1\), which were not changed\.\n$/,
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
    keyProviders: [],
    clocksAheadMs: [{ process: 'signing', aheadMs: expect.any(Number) }],
  })
  connection.disconnect()
  await redis.stop()
  await database.drop()
})
