import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFailed, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { createCommands, required } from '../harness/commands.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { startPgbouncer } from '../harness/pgbouncer.ts'
import { startProcesses } from '../harness/processes.ts'
import { freePort } from '../harness/redis.ts'
import { collectPatiently } from '../wallets/persistent-wallet.ts'
import { newHolderKey } from '../wallets/wallet.ts'

const serverUrl = process.env.DATABASE_URL ?? ''
const dir = mkdtempSync(join(tmpdir(), 'trustwright-pgbouncer-test-'))
const { run, end } = createCommands({ ...required, DATA_DIR: dir })
afterAll(() => {
  end()
  rmSync(dir, { recursive: true, force: true })
})

async function keepsSessions(settings: Record<string, string | number>): Promise<boolean> {
  await using pgbouncer = await startPgbouncer(serverUrl, settings)
  const db = openDatabase(pgbouncer.addressOf(serverUrl), { survives: 'crash' })
  try {
    return await db.keepsSessions()
  } finally {
    await db.close()
  }
}

describe('PgBouncer (skipped without the package pgbouncer)', { tags: ['postgres', 'pgbouncer'] }, () => {
  test('in session mode the service issues credentials, also after PgBouncer was restarted', async () => {
    await using pgbouncer = await startPgbouncer(serverUrl, { pool_mode: 'session', default_pool_size: 100 })
    await using service = await startProcesses({}, pgbouncer)
    onTestFailed(() => console.error(service.errorOutput()))
    const { tenant } = service
    const configurationId = await compactConfiguration(tenant)
    const collect = async () => {
      const { held, unexpected } = await collectPatiently(service, [configurationId], await newHolderKey())
      expect({ unexpected, held: held.size }).toEqual({ unexpected: [], held: 1 })
    }
    await Promise.all(Array.from({ length: 20 }, collect))
    await pgbouncer.kill()
    expect(await tenant.operator.get('/v1/users')).toMatchObject({ status: 503 })
    await pgbouncer.start()
    await Promise.all(Array.from({ length: 20 }, collect))
  })

  test.each([
    { pool_mode: 'session', default_pool_size: 20 },
    { pool_mode: 'session', default_pool_size: 20, server_round_robin: 1 },
  ])('sessions are kept with %o', async (settings) => {
    expect(await keepsSessions(settings)).toBe(true)
  })

  test.each([
    { pool_mode: 'transaction', default_pool_size: 1 },
    { pool_mode: 'transaction', default_pool_size: 20 },
    { pool_mode: 'transaction', default_pool_size: 20, min_pool_size: 2, server_round_robin: 1 },
    { pool_mode: 'transaction', default_pool_size: 20, min_pool_size: 5, server_round_robin: 1 },
    { pool_mode: 'statement', default_pool_size: 20 },
  ])('sessions are not kept with %o', async (settings) => {
    expect(await keepsSessions(settings)).toBe(false)
  })

  test('in transaction mode each process and command ends with one line', async () => {
    await using pgbouncer = await startPgbouncer(serverUrl, { pool_mode: 'transaction', default_pool_size: 20 })
    const url = pgbouncer.addressOf(serverUrl)
    const commands = ['api/main.ts', 'workers/main.ts signing', 'workers/main.ts relay', 'db/cli/migrate.ts']
    const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()) }
    const env = { DATABASE_URL: url, LOG_LEVEL: 'error', ...ports }
    const ended = await Promise.all(commands.map((words) => run(words, env)))
    const address = url.replace(/\/\/.*@/, '//')
    const line = `DATABASE_URL (${address}) leads to a pooler that keeps no sessions, such as PgBouncer with pool_mode = transaction. Set pool_mode = session in PgBouncer, or connect to PostgreSQL directly.`
    for (const { code, output } of ended) expect({ code, output }).toEqual({ code: 1, output: `${line}\n` })
  })
})
