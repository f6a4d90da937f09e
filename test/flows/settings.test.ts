import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { insertKeys, tenantItself } from '../../db/repos/identifiers/keys.ts'
import { systemClock } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { readHeartbeats } from '../../shared/jobs/heartbeat.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { createSecrets } from '../../shared/secrets.ts'
import { createKeyring } from '../../workers/signing/keyring.ts'
import { openNewDatabase } from '../database.ts'
import { startRedis } from '../redis.ts'

/** A busy machine takes its time to start a process. */
vi.setConfig({ testTimeout: 120_000 })
const dir = mkdtempSync(join(tmpdir(), 'trustwright-settings-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const newKey = () => randomBytes(32).toString('base64')
const production = { NODE_ENV: 'production', SERVICE_SECRET: newKey(), PLATFORM_DOMAIN: 'issuer.example' }

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

async function run(words: string, env: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, words.split(' '), {
    env: { PATH: process.env.PATH, DATA_DIR: join(dir, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const [code] = await once(child, 'close')
  return { code, ...said }
}

test('a signing process with another key-encryption key ends before it works, in one line, and tells readiness', async () => {
  const redis = await startRedis()
  const database = await openNewDatabase()
  const row = createKeyring([randomBytes(32)]).newKey(
    { tenantId: newId(), owner: tenantItself, purpose: 'did', algorithm: 'ES256' },
    systemClock.now(),
  )
  await database.db.tx((tx) => insertKeys(tx, [row]))
  const KEY_ENCRYPTION_KEY = newKey()
  const env = { ...production, DATABASE_URL: database.url, REDIS_URL: redis.url, KEY_ENCRYPTION_KEY }
  const { code, stdout, stderr } = await run('workers/main.ts signing signing-bulk', env)
  expect(code).toBe(1)
  expect(stdout).not.toContain('"msg":"working"')
  expect(stderr).toMatch(/^KEY_ENCRYPTION_KEY opens none of the private keys in the database.*\.\n$/)
  expect(stderr).not.toContain(KEY_ENCRYPTION_KEY)

  const connection = connectPatient(redis.url)
  const secrets = createSecrets([Buffer.from(production.SERVICE_SECRET, 'base64')])
  expect(await readHeartbeats(connection, { prefix: 'trustwright', secrets })).toEqual({
    isThere: false,
    hasOtherSecret: false,
    cannotOpenKeys: true,
  })
  connection.disconnect()
  await redis.stop()
  await database.drop()
})
