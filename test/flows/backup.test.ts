import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { backUp } from '../../db/cli/backup.ts'
import type { DemoFacts } from '../../shared/launcher/demo-facts.ts'
import { createApi } from '../harness/api-client.ts'
import { dataFolders, factsOf, startDataFolder, startOn } from '../harness/data-folder.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { tokenOf } from '../harness/harness.ts'
import { inherited } from '../harness/started.ts'
import { newWallet } from '../wallets/wallet.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-backup-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const run = (script: 'backup' | 'restore', folder: string, env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [`db/cli/${script}.ts`, folder], { env: { ...inherited(), ...env } })
const refusal = async (...args: Parameters<typeof run>): Promise<string> =>
  run(...args).then(
    () => 'it was done',
    ({ stderr }) => stderr,
  )

test('a backup during issuance is complete, and a service that starts from it has everything that was answered before', {
  tags: 'sqlite',
}, async () => {
  const { facts, held } = factsOf(join(dataFolders, '12.22.0', 'sqlite'))
  const backups: { folder: string; before: string[] }[] = []
  let revocable = ''
  let listBefore: string | undefined
  {
    await using service = await startDataFolder('12.22.0')
    // Enough to take a while.
    enlarge(join(service.dir, 'trustwright.db'))
    const tenant = await operated(service.origin, facts)
    revocable = await compactConfiguration(tenant, { type: 'RevocableCertificate', revocable: true })
    await collect(tenant, service.origin, revocable)
    const users: string[] = []
    let isOver = false
    const issue = async () => {
      while (!isOver) {
        users.push(await collect(tenant, service.origin, held.configurationId))
      }
    }
    const load = Promise.all([issue(), issue(), issue(), issue()])
    // Until three backups were taken during which a credential was issued. On a fast disk a backup can fall between two issuances.
    try {
      while (backups.length < 3) {
        const before = [...users]
        const folder = join(dir, `backup-${before.length}`)
        await run('backup', folder, { DATA_DIR: service.dir })
        if (users.length > before.length) backups.push({ folder, before })
        else rmSync(folder, { recursive: true })
      }
    } finally {
      isOver = true
      await load
    }
    await collect(tenant, service.origin, revocable)
    listBefore = listsOf(service.dir).at(-1)
    expect(await refusal('restore', backups[0]?.folder ?? '', { DATA_DIR: service.dir })).toContain('is not empty')
  }
  for (const { folder } of backups) expectWhole(folder)

  const { folder, before } = backups.at(-1) ?? { folder: '', before: [] }
  const restored = join(dir, 'restored')
  await run('restore', folder, { DATA_DIR: restored })
  await using service = await startOn(restored, facts)
  const tenant = await operated(service.origin, facts)
  for (const userId of before)
    expect((await tenant.operator.get(`/v1/users/${userId}/credentials`)).body.data).toMatchObject([
      { status: 'valid' },
    ])
  await collect(tenant, service.origin, held.configurationId)
  // It is unknown which indexes of the old list were allocated after the backup.
  await collect(tenant, service.origin, revocable)
  const lists = listsOf(restored)
  expect([lists[0], new Set(lists).size]).toEqual([listBefore, 2])
})

test('a backup ends although the database grows between all of its steps', async () => {
  const path = join(dir, 'growing.db')
  const database = new SqliteDatabase(path)
  database.pragma('journal_mode = WAL')
  database.exec('CREATE TABLE grown (content)')
  const grow = database.prepare('INSERT INTO grown VALUES (zeroblob(20000))')
  let isOver = false
  const target = join(dir, 'of-growing')
  const backup = backUp({ dataDir: dir, database: path }, target).finally(() => {
    isOver = true
  })
  let steps = 0
  while (!isOver && steps < 100) {
    grow.run()
    // In the same phase of the event loop as the steps of the backup.
    await setImmediate()
    if (existsSync(join(target, '.partial', 'trustwright.db'))) steps++
  }
  await backup
  database.close()
  expect(steps).toBeLessThan(10)
})

test('no file is overwritten, and a folder without a backup is not restored', async () => {
  const full = join(dir, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'something'), '')
  const database = join(dir, 'a.db')
  new SqliteDatabase(database).exec('CREATE TABLE a (b)').close()
  const env = { DATA_DIR: join(dir, 'nowhere'), DATABASE_URL: `file:${database}` }
  expect(await refusal('backup', full, env)).toContain('is not empty')
  expect(await refusal('backup', join(dir, 'new'), { DATA_DIR: join(dir, 'nowhere') })).toContain(
    'There is no database',
  )
  expect(await refusal('restore', full, env)).toContain('There is no backup')
  await run('backup', join(dir, 'small'), env)
  expect(await refusal('restore', join(dir, 'small'), env)).toContain('exists already')
  // Of a version that had no status lists.
  await run('restore', join(dir, 'small'), { DATA_DIR: join(dir, 'older') })
  expect(existsSync(join(dir, 'older', 'trustwright.db'))).toBe(true)
  writeFileSync(join(dir, 'small', 'trustwright.db'), 'SQLite format 3\0 and then nothing of the kind'.repeat(200))
  expect(await refusal('restore', join(dir, 'small'), { DATA_DIR: join(dir, 'nowhere') })).toMatch(
    /not a database|damaged/,
  )
  expect(existsSync(join(dir, 'nowhere', 'trustwright.db'))).toBe(false)
  expect(await refusal('backup', join(dir, 'new'), { DATABASE_URL: 'postgres://unknown@127.0.0.1/x' })).toContain(
    'pg_dump',
  )
})

type Operated = Awaited<ReturnType<typeof operated>>

/** Issues one credential; returns its user. */
async function collect(tenant: Operated, origin: string, configurationId: string): Promise<string> {
  const offer = await newOffer(tenant, [configurationId])
  const wallet = await newWallet(tenant, origin, offer.uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  return offer.userId
}

/** The status list of each revocable credential, in the order of their issuance. */
function listsOf(dataDir: string): string[] {
  const database = new SqliteDatabase(join(dataDir, 'trustwright.db'), { readonly: true })
  const rows = database.prepare<[], { listId: string }>(`
    SELECT list_id AS listId FROM status_entries JOIN credentials ON id = credential_id ORDER BY issued_at`)
  const lists = rows.all().map(({ listId }) => listId)
  database.close()
  return lists
}

function expectWhole(folder: string): void {
  expect(readdirSync(folder).sort()).toEqual([
    'demo.json',
    'identity-provider.json',
    'key-encryption-key',
    'service-secret',
    'trustwright.db',
  ])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
  const database = new SqliteDatabase(join(folder, 'trustwright.db'), { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
}

function enlarge(file: string): void {
  const database = new SqliteDatabase(file, { timeout: 10_000 })
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40000)
    INSERT INTO spent_proofs (tenant_id, hash, expires_at) SELECT 'unknown', hex(randomblob(300)), 4102444800000 FROM numbers`)
  database.close()
}

async function operated(origin: string, { baseUrl, clientId, clientSecret }: DemoFacts) {
  const { host } = new URL(baseUrl)
  return { operator: createApi(origin, host, await tokenOf(origin, host, clientId, clientSecret)), host, baseUrl }
}
