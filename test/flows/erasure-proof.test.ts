import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { eq, getTableName, is, ne } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { verifyReceipt } from '../../db/cli/verify-receipt.ts'
import { dialect } from '../../db/columns.ts'
import * as schema from '../../db/schema.ts'
import { auditHeads } from '../../db/tables/operations/audit-heads.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { erasures } from '../../db/tables/operations/erasures.ts'
import { createCanaries } from '../harness/canaries.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { runNow } from '../harness/run-now.ts'
import { inherited } from '../harness/started.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

/** `ERASURE_USERS=10000 ERASURE_ERASED=1000` is the full proof. It takes about 20 minutes. */
const users = Number(process.env.ERASURE_USERS ?? 200)
const erasedUsers = Number(process.env.ERASURE_ERASED ?? 20)
const timeout = 300_000 + 500 * users

const { textOf, indexesIn } = createCanaries()
let service: Processes
let tenant: TestTenant
let receiver: Receiver
let configurationId: string
let providerId: string
const userIds: string[] = []

beforeAll(async () => {
  service = await startProcesses({ LOG_LEVEL: 'debug' })
  tenant = await service.addTenant()
  // The answer repeats personal data of the credential.
  receiver = await startReceiver(({ body }) => ({
    body: `thanks for ${body.event.payload.credential?.credentialSubject?.given_name}`,
  }))
  const { operator } = tenant
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const provider = { url: 'https://login.example.org', clientId: 'canary', clientSecret: 'secret' }
  providerId = (await operator.post('/v1/users/authentication-providers', provider)).body.id
  configurationId = await webConfiguration(tenant, {
    ...{ persist: true, revocable: true },
    claimMappings: Object.fromEntries(
      ['given_name', 'family_name', 'address'].map((name) => [name, { mapFrom: `claims.${name}` }]),
    ),
  })
}, timeout)
afterAll(async () => {
  for (const each of [service, receiver]) await each?.[Symbol.asyncDispose]()
})

/** Creates a person with the canary in each text, with an issued credential and an offer that is not used. */
async function newPerson(index: number): Promise<void> {
  const canary = textOf(index)
  const { operator } = tenant
  const { status, body } = await operator.post('/v1/users', {
    claims: { family_name: canary, address: { locality: canary, tags: [canary] } },
    authenticationProvider: { providerId, subjectId: canary },
    label: canary,
  })
  expect(status).toBe(201)
  userIds[index] = body.id
  const offer = { userId: body.id, claims: { given_name: canary }, label: canary }
  const { uri } = await newOffer(tenant, [configurationId], { ...offer, claimsToPersist: ['given_name'] })
  const wallet = await newWallet(tenant, service.origin, uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  await newOffer(tenant, [configurationId], offer)
}

/** Runs the work for each index, several at a time. */
async function forEach(indexes: readonly number[], work: (index: number) => Promise<void>): Promise<void> {
  const left = [...indexes]
  const lane = async () => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) await work(index)
  }
  await Promise.all(Array.from({ length: 6 }, lane))
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

// Boundary: both dialects' tables are PostgreSQL's to the type checker.
const tables = Object.values(schema).filter((each: unknown) => is(each, PgTable) || is(each, SQLiteTable)) as PgTable[]

/** Returns the persons in the rows of each table. */
async function personsInRows(): Promise<Map<string, Set<number>>> {
  const persons = new Map<string, Set<number>>()
  for (const table of tables) {
    const rows = await service.db.read.select().from(table)
    const indexes = indexesIn(Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')))
    if (indexes.size > 0) persons.set(getTableName(table), indexes)
  }
  return persons
}

/** Returns the persons in the files of a folder: SQLite with its log, and the log of Redis with all commands. */
function personsInFiles(folder: string, pattern = '**/*'): Set<number> {
  const files = globSync(pattern, { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile())
  return files
    .map((file) => indexesIn(readFileSync(join(folder, file))))
    .reduce((all, each) => all.union(each), new Set())
}

/** Does what autovacuum may do at any time: PostgreSQL stores values of each column as statistics. */
async function analyze(): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await client.query('ANALYZE')
    const { rows } = await client.query('SELECT tablename, attname, most_common_vals, histogram_bounds FROM pg_stats')
    expect(indexesIn(Buffer.from(JSON.stringify(rows)))).toEqual(new Set())
  } finally {
    await client.end()
  }
}

/**
 * Returns the persons in the table files of PostgreSQL after VACUUM FULL, and in its WAL after a checkpoint. Undefined if its server is on
 * another machine.
 */
async function personsInServerFiles(): Promise<{ tables: Set<number>; wal: Set<number> } | undefined> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await untilSeenByNoTransaction(client)
    await client.query('VACUUM FULL')
    await removeOldWal(client)
    const { rows: places } = await client.query<{ dir: string; oid: number }>(
      `SELECT current_setting('data_directory') AS dir, oid FROM pg_database WHERE datname = current_database()`,
    )
    const [{ dir, oid } = { dir: '', oid: 0 }] = places
    const folder = join(dir, 'base', String(oid))
    if (!statSync(folder, { throwIfNoEntry: false })) return undefined
    return { tables: personsInFiles(folder), wal: personsInFiles(join(dir, 'pg_wal')) }
  } finally {
    await client.end()
  }
}

/**
 * Waits until no transaction can see rows that are deleted now, because VACUUM keeps such rows. Autovacuum has transactions too, while it
 * analyzes. VACUUM FULL has a snapshot, which also keeps what an older writing transaction of any other database could see.
 */
async function untilSeenByNoTransaction(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>('SELECT pg_current_xact_id()::xid::text AS id')
  const older = `SELECT datname, backend_type, state, query FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND (age(backend_xid) > age($1::text::xid)
      OR datname = current_database() AND age(backend_xmin) > age($1::text::xid))`
  await expect.poll(async () => (await client.query(older, [rows[0]?.id])).rows).toEqual([])
}

/** Removes the WAL that is older than a checkpoint. The server would rename these files for later use and keep their content. */
async function removeOldWal(client: pg.Client): Promise<void> {
  await client.query('ALTER SYSTEM SET wal_recycle = off')
  await client.query('SELECT pg_reload_conf()')
  try {
    // Uses the files that were renamed before.
    const { rows: files } = await client.query('SELECT name FROM pg_ls_waldir()')
    for (const _ of files)
      await client.query(`SELECT pg_logical_emit_message(false, 'erasure-proof', 'x'), pg_switch_wal()`)
    await client.query('CHECKPOINT')
    await client.query('CHECKPOINT')
  } finally {
    await client.query('ALTER SYSTEM RESET wal_recycle')
    await client.query('SELECT pg_reload_conf()')
  }
}

/** Returns the persons in all pages of the lists of an operator. */
async function personsInExports(): Promise<Set<number>> {
  let texts = ''
  const { body: webhooks } = await tenant.operator.get('/v1/webhooks')
  const paths = ['/v1/users', '/v2/credentials/web-semantic', '/v1/events', '/v1/erasures']
  for (const path of [...paths, `/v1/webhooks/${webhooks.data[0].id}/deliveries`]) {
    let cursor = ''
    do {
      const { status, body } = await tenant.operator.get(`${path}?limit=1000${cursor && `&cursor=${cursor}`}`)
      expect([path, status]).toEqual([path, 200])
      texts += JSON.stringify(body)
      cursor = body.nextCursor ? encodeURIComponent(body.nextCursor) : ''
    } while (cursor)
  }
  return indexesIn(Buffer.from(texts))
}

async function deleteUsers(indexes: number[]): Promise<void> {
  await forEach(indexes, async (index) => {
    expect(await tenant.operator.delete(`/v1/users/${userIds[index]}`)).toMatchObject({ status: 204 })
  })
}

/** Runs a command on the database of the service, or on that of `env`. */
async function run(script: string, words: string[], env: Record<string, string> = {}): Promise<string> {
  const common = { ...inherited(), DATA_DIR: service.dir, DATABASE_URL: service.databaseUrl }
  const options = { env: { ...common, ...env }, maxBuffer: 1e9 }
  return (await promisify(execFile)(process.execPath, [`db/cli/${script}.ts`, ...words], options)).stdout
}

test('erasures under load leave nothing of the erased persons, and all of the others', { timeout }, async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  await forEach(range(0, users), newPerson)
  await eventually(
    async () => (await service.db.read.$count(deliveries, eq(deliveries.state, 'delivered'))) === users,
    timeout,
  )
  const before = await personsInRows()
  const everyone = new Set(range(0, users))
  for (const name of ['users', 'offers', 'stored_credentials', 'deliveries']) expect(before.get(name)).toEqual(everyone)
  const since = new Date().toISOString()
  const backup = join(service.dir, '..', `${service.dir.split('/').at(-1)}-backup`)
  if (dialect === 'sqlite') await run('backup', [backup])
  else await analyze()

  const erased = range(0, erasedUsers).map((at) => Math.floor((at * users) / erasedUsers))
  const kept = everyone.difference(new Set(erased))
  let next = users
  let isOver = false
  const load = async () => {
    while (!isOver) await newPerson(next++)
  }
  const loads = [load(), load()]
  await deleteUsers(erased)
  isOver = true
  await Promise.all(loads)

  const onlyKept = (found: Set<number>) => expect([...found].filter((index) => erased.includes(index))).toEqual([])
  const after = await personsInRows()
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
  for (const [name, persons] of after) {
    onlyKept(persons)
    expect([name, before.get(name)?.intersection(kept).difference(persons)]).toEqual([name, new Set()])
  }
  const exported = await personsInExports()
  onlyKept(exported)
  expect(kept.difference(exported)).toEqual(new Set())
  await eventually(async () => (await service.db.read.$count(erasures, ne(erasures.receipt, ''))) === erased.length)
  const erasedIn = (pattern: string) => personsInFiles(service.dir, pattern).intersection(new Set(erased)).size
  const logs = '{*-wal,redis/**/*}'
  await eventually(async () => erasedIn(logs) === 0)
  // SQLite leaves copies of some rows that it moved between pages. Without `secure_delete` all erased rows would be there.
  await eventually(async () => erasedIn('*.db') < erased.length / 2)
  const inServer = dialect === 'postgres' ? await personsInServerFiles() : undefined
  if (inServer) {
    onlyKept(inServer.tables)
    onlyKept(inServer.wal)
    expect(kept.difference(inServer.tables)).toEqual(new Set())
  }
  expect(indexesIn(Buffer.from(service.output()))).toEqual(new Set())

  await verifyAll(erased.length)
  if (dialect === 'sqlite') {
    for (const name of ['web', 'signing', 'worker'] as const) await service.stop(name)
    new SqliteDatabase(join(service.dir, 'test.db')).exec('VACUUM').close()
    onlyKept(personsInFiles(service.dir))
    expect(kept.difference(personsInFiles(service.dir))).toEqual(new Set())
    const list = join(service.dir, 'erasures.jsonl')
    writeFileSync(list, await run('export-erasures', ['--since', since]))
    expect(personsInFiles(backup)).toEqual(everyone)
    const target = mkdtempSync(`${backup}-`)
    const place = { DATA_DIR: target, DATABASE_URL: `file:${target}/trustwright.db` }
    await run('restore', [backup, '--erase-since', since, '--erasures', list], place)
    expect(personsInFiles(target)).toEqual(kept)
    for (const folder of [backup, target]) rmSync(folder, { recursive: true })
  }
})

/** Verifies all receipts with the public keys and the last checkpoint. */
async function verifyAll(count: number): Promise<void> {
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  await service.db.tx(async (tx) => void (await tx.update(auditHeads).set({ checkpointedAt: longAgo })))
  await runNow(service.bus, 'queueDueCheckpoints', 'signing-bulk')
  const write = (name: string, text: string) => {
    // Some programs save a file with a byte order mark.
    writeFileSync(join(service.dir, name), `\ufeff${text}`)
    return join(service.dir, name)
  }
  const checkpoint = write('checkpoint.txt', (await tenant.anonymous.get('/v1/audit/checkpoint')).body)
  const keys = write('jwks.json', JSON.stringify((await tenant.anonymous.get('/v1/audit/jwks')).body))
  const rows = await service.db.read.select({ id: erasures.id }).from(erasures)
  expect(rows).toHaveLength(count)
  let hashes = 0
  for (const { id } of rows) {
    const { body } = await tenant.operator.get(`/v1/erasures/${id}`)
    hashes = Math.max(hashes, body.proof.hashes.length)
    const receipt = write('receipt.json', JSON.stringify(body))
    expect(verifyReceipt({ receipt, checkpoint, keys })).toContain('1 credentials revoked')
  }
  expect(hashes).toBeLessThanOrEqual(20)
}
