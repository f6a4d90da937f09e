import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { compactVerify } from 'jose'
import pg from 'pg'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { readMigrationPlan } from '../../db/engine/migration-folders.ts'
import { tablesOfMove } from '../../db/moves/moved-tables.ts'
import { createLineSealer } from '../../db/moves/sealed-lines.ts'
import { listAuditEvents } from '../../db/repos/operations/audit/audit.ts'
import { checkChains } from '../../db/repos/operations/audit/audit-chain.ts'
import { findPlatformId, findTenant } from '../../db/repos/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import { endMove } from '../../workers/signing/moves/end.ts'
import { type Export, exportToFile } from '../../workers/signing/moves/export.ts'
import { importFromFile } from '../../workers/signing/moves/import.ts'
import { makeReceiver, readReceiverFile } from '../../workers/signing/moves/receive.ts'
import { createCommands } from '../harness/commands.ts'
import { newDatabase } from '../harness/database.ts'
import { compactConfiguration, type NewOffer, newOffer } from '../harness/factories.ts'
import { fillTables } from '../harness/fill-tables.ts'
import { eventually, type Service, startService, type TestTenant, testTenant } from '../harness/harness.ts'
import { createOneOfEach, type Things } from '../harness/one-of-each.ts'
import { readList } from '../harness/published.ts'
import { firstContent } from '../harness/revocable.ts'
import { runNow } from '../harness/run-now.ts'
import { type DidDocument, fetchDidDocument, verifyCwt } from '../verifiers/outside-verifiers.ts'
import { newWallet } from '../wallets/wallet.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-move-'))
const inDir = (name: string) => join(dir, name)
const [file, folder] = [inDir('tenant.export'), inDir('keys')]
/** The clock of commands that run when all changes of a read-only tenant have ended. */
const later = { now: () => plusMs(new Date(), 11_000) }
const printed: string[] = []
const print = (line: string) => void printed.push(line)

let source: Service
let things: Things
/** Another tenant of the source. */
let other: TestTenant
let document: DidDocument
/** A credential that was collected before the move. */
let held: Awaited<ReturnType<typeof collect>>
let offer: NewOffer
const targetSecret = randomBytes(32)
const keyEncryptionKey = randomBytes(32)
let target: { url: string; drop(): Promise<void> }

/** Starts the service of the target. Its data stay when it ends. */
const startTarget = () =>
  startService({
    env: { DATABASE_URL: target.url, SERVICE_SECRET: targetSecret.toString('base64') },
    keyEncryptionKey,
  })

beforeAll(async () => {
  source = await startService()
  other = await source.addTenant()
  things = await createOneOfEach(source, source)
  const configuration = await compactConfiguration(source, { revocable: true })
  document = await fetchDidDocument(source.anonymous)
  held = await collect(source, source.origin, await newOffer(source, [configuration]))
  // Its address and its code are derived from a secret of the tenant.
  const derived = { by: 'reference', transactionCodeConfiguration: { description: 'See the letter' } }
  offer = await newOffer(source, [configuration], derived)
  await source.operator.post(`/v1/approvals/${things.get('/v1/approvals/:')}/reject`, {})
  await runNow(source.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
  target = await newDatabase(dir)
  await (await startTarget())[Symbol.asyncDispose]()
  for (const name of ['keys', 'other-keys']) await makeReceiver(inDir(name), print)
})
afterAll(async () => {
  await source?.[Symbol.asyncDispose]()
  await target?.drop()
  rmSync(dir, { recursive: true, force: true })
})

/** Collects a credential. Returns its id and its place in a status list. */
async function collect(tenant: TestTenant, origin: string, { uri, transactionCode }: NewOffer) {
  const wallet = await newWallet(tenant, origin, uri)
  const token = await wallet.redeem(transactionCode === undefined ? {} : { tx_code: transactionCode })
  expect(token.status, JSON.stringify(token.body)).toBe(200)
  const { status, body } = await wallet.requestCredential()
  expect(status, JSON.stringify(body)).toBe(200)
  const { claims } = verifyCwt(body.credentials[0].credential, document)
  const entry = claims.get(-65537) as Map<number, unknown>
  const id = Buffer.from(claims.get(7) as Uint8Array).toString('hex')
  return {
    id: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    list: new URL(String(entry.get(3))).pathname,
    index: Number(entry.get(2)),
  }
}

/** Runs the export. Returns the message of its refusal, or undefined. */
function exporting(options: Partial<Export> = {}, keys = folder): Promise<string | undefined> {
  const { deps, keyring, id } = source
  const receiver = readReceiverFile(join(keys, 'receiver.json'), 'public')
  const { config, secrets } = deps
  const installation = { databaseUrl: config.databaseUrl, secrets, keyring, clock: later, print }
  return messageOf(exportToFile({ ...installation, tenant: id, file, receiver, ...options }))
}

/** Runs the import. Returns the message of its refusal, or undefined. */
function importing(from = file, keys = folder): Promise<string | undefined> {
  const installation = {
    databaseUrl: target.url,
    secrets: createSecrets([targetSecret]),
    keyring: createKeyring([keyEncryptionKey]),
  }
  return messageOf(importFromFile({ ...installation, clock: later, print, file: from, folder: keys }))
}

/** Ends the move at the source. Returns the message of its refusal, or undefined. */
function ending(proof: string, keys = 'keys'): Promise<string | undefined> {
  const receiver = readReceiverFile(join(inDir(keys), 'receiver.json'), 'public')
  return messageOf(endMove({ databaseUrl: source.deps.config.databaseUrl, clock: later, proof, receiver, print }))
}

const messageOf = (work: Promise<void>) => work.then(() => undefined).catch((error: Error) => error.message)

/** Runs `work` with the database of the target, whose service is stopped. */
async function inTarget<Result>(work: (db: ReturnType<typeof openDatabase>) => Promise<Result>): Promise<Result> {
  const db = openDatabase(target.url, { survives: 'crash' })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Writes a file with other lines of the export. Returns its path. */
function changed(name: string, change: (lines: string[]) => string[]): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  writeFileSync(
    inDir(name),
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  )
  return inDir(name)
}

/** Imports a file for the tenant `new` with one crafted row. Returns the message of its refusal, or undefined. */
async function importingRow(table: string, row: readonly unknown[]): Promise<string | undefined> {
  const receiver = readReceiverFile(join(folder, 'receiver.json'), 'public')
  const header = {
    ...{ format: 'trustwright-tenant', version: 1, exportId: 'x', exportedAt: new Date() },
    migration: readMigrationPlan(dialect).current.at(-1)?.name,
    tenant: { id: 'new', name: 'New', subdomain: 'new', hosts: ['new.example'] },
  }
  const sealer = await createLineSealer(receiver.encryption, JSON.stringify(header))
  const line = await sealer.sealLine(JSON.stringify({ table, rows: [row] }), 'inside')
  return importing(changed('crafted', () => [sealer.firstLine, line]))
}

describe('a tenant moves to another installation', () => {
  test('only a tenant that is read-only for ten seconds is exported, for one receiver', async () => {
    expect(await exporting()).toContain(`POST /v1/tenants/${source.id}/move`)
    const begun = source.clock.now()
    await eventually(async () => (await source.platform.post(`/v1/tenants/${source.id}/move`)).status === 200)
    await source.workers.stop()
    await fillTables(source.deps.db, source.id, source.deps.secrets)
    expect(await exporting({ clock: { now: () => begun } })).toMatch(/Run this again in \d+ s/)
    expect(await exporting({ tenant: 'no.such.host' })).toContain('No tenant has the id or the host no.such.host')
    expect(await exporting({ tenant: source.host })).toBeUndefined()
    expect(await exporting()).toContain('exists')
    expect(await exporting({ file: inDir('second.export') })).toBeUndefined()
    expect(await exporting({ file: inDir('other.export') }, inDir('other-keys'))).toContain(
      'Two receivers must not import it',
    )
    const { read } = source.deps.db
    const platformId = (await findPlatformId(read)) ?? ''
    const { rows } = await listAuditEvents(read, platformId, { types: ['TENANT_EXPORT_AUDIT'] }, 10)
    expect(rows.map(({ data }) => data.id)).toEqual([source.id, source.id])
  })

  test('a file for another key, or one that was cut or changed, is refused and leaves nothing', async () => {
    expect(await importing(file, inDir('other-keys'))).toContain('not an export for these keys')
    expect(await importing(changed('cut', (lines) => lines.slice(0, -1)))).toContain('its end is missing')
    const half = (line = '') => line.slice(0, line.length / 2)
    expect(await importing(changed('half', (lines) => [...lines.slice(0, 9), half(lines[9])]))).toContain('in line 10')
    const other = (line = '') => line.replace(/.{6}$/, (end) => (end === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA'))
    expect(await importing(changed('byte', (lines) => lines.with(5, other(lines[5]))))).toContain('in line 6')
    const swapped = changed('order', (lines) => lines.with(3, lines[4] ?? '').with(4, lines[3] ?? ''))
    expect(await importing(swapped)).toContain('line 4 is not the next one')
    expect(await importing(changed('more', (lines) => [...lines, 'more']))).toContain('lines after its end')
    await inTarget(async ({ read }) => expect(await findTenant(read, source.id)).toBeUndefined())
  })

  test('a file cannot add rows to the platform or to other tenants', async () => {
    const jobOf = (payload: object) => [newId(), 'signDirectly', JSON.stringify(payload), 0, 0, 0]
    const crafted: [string, unknown[]][] = [
      ['tenant_hosts', ['new.example', 'platform']],
      ['outbox', jobOf({ tenantId: 'platform' })],
      ['outbox', jobOf({ tenantId: 'new', items: [{ tenantId: 'platform' }] })],
      ['outbox', jobOf({ items: [{ tenantId: 'new' }] })],
    ]
    for (const [table, row] of crafted)
      expect(await importingRow(table, row)).toContain(`a row of another tenant in ${table}`)
  })

  test('a file cannot give its tenant a host, a subdomain or a DID that its header does not have', async () => {
    expect(await importingRow('tenant_hosts', ['other.example', 'new'])).toContain('not have the host other.example')
    const row = { id: 'new', kind: 'tenant', state: 'active', name: 'New', settings: '{}', created_at: 0 }
    const own = { subdomain: 'new', canonical_host: 'new.example', did: 'did:web:new.example' }
    const other = { canonical_host: 'other.example', did: 'did:web:other.example' }
    const crafted: [object, string][] = [
      [other, 'another canonical_host than'],
      [{ did: other.did }, 'another did than'],
      [{ canonical_host: other.canonical_host }, 'another canonical_host, did than'],
      [{ subdomain: 'other' }, 'another subdomain than'],
      // The row is accepted. The file has no more lines.
      [{}, 'its end is missing'],
    ]
    for (const [change, message] of crafted) {
      const values: Record<string, unknown> = { ...row, ...own, ...change }
      const { columns = [] } = tablesOfMove().find(({ name }) => name === 'tenants') ?? {}
      expect(
        await importingRow(
          'tenants',
          columns.map(({ name }) => values[name] ?? null),
        ),
      ).toContain(message)
    }
  })

  test('an import that ends before its commit leaves nothing, and the next one imports once', async () => {
    mkdirSync(join(folder, 'proof.jws.part'))
    expect(await importing()).toContain('EISDIR')
    rmdirSync(join(folder, 'proof.jws.part'))
    await inTarget(async ({ read }) => expect(await findTenant(read, source.id)).toBeUndefined())

    expect(await importing()).toBeUndefined()
    expect(await importing()).toContain('cannot be imported twice')
    expect(await importing(inDir('second.export'))).toContain('has the id of the imported tenant')
    const proof = readFileSync(join(folder, 'proof.jws'), 'utf8')
    const { signing } = readReceiverFile(join(folder, 'receiver.json'), 'public')
    const { payload } = await compactVerify(proof, signing)
    const { tables, audit, tenantId } = JSON.parse(Buffer.from(payload).toString())
    expect(tenantId).toBe(source.id)
    expect(audit.checkpoint).toContain(`${source.host}/v1/audit`)
    expect(tables.filter(({ rows }: { rows: number }) => rows === 0).map(({ name }: { name: string }) => name)).toEqual(
      [],
    )
  })

  test('the proof ends the move at the old installation, where the tenant can then only be read and deleted', async () => {
    const proof = readFileSync(join(folder, 'proof.jws'), 'utf8')
    const [head, , signature] = proof.split('.')
    const other = Buffer.from(JSON.stringify({ tenantId: source.id })).toString('base64url')
    const move = `/v1/tenants/${source.id}/move`
    expect(await ending([head, other, signature].join('.'))).toContain('did not sign this proof')
    expect(await ending(proof, 'other-keys')).toContain('did not sign this proof')
    expect(await ending(proof)).toBeUndefined()
    expect(await ending(proof)).toContain('has moved already')
    expect(await exporting({ file: inDir('third.export') })).toContain('has moved')
    for (const answer of [await source.platform.delete(move), await source.platform.post(move)])
      expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('has moved') } })
    expect(await source.operator.get('/v1/webhooks')).toMatchObject({ status: 200 })
    expect(await source.operator.post('/v1/webhooks', {})).toMatchObject({ status: 503 })
  })

  test('a proof does not end a later move, because the tenant was active between both', async () => {
    const [move, otherFile, otherFolder] = [`/v1/tenants/${other.id}/move`, inDir('active.export'), inDir('other-keys')]
    expect(await source.platform.post(move)).toMatchObject({ status: 200 })
    expect(await exporting({ tenant: other.id, file: otherFile }, otherFolder)).toBeUndefined()
    expect(await importing(otherFile, otherFolder)).toBeUndefined()
    expect(await source.platform.delete(move)).toMatchObject({ status: 200 })
    expect(await source.platform.post(move)).toMatchObject({ status: 200 })
    const proof = readFileSync(join(otherFolder, 'proof.jws'), 'utf8')
    expect(await ending(proof, 'other-keys')).toContain('was active again after the export')
    expect(await findTenant(source.deps.db.read, other.id)).toMatchObject({ state: 'moving' })
  })

  test('the tenant issues, revokes and is audited at the new installation, with its keys and links of before', async () => {
    const service = await startTarget()
    const { clientId, clientSecret, id, baseUrl, did } = source
    const tenant = await testTenant(service.origin, { id, baseUrl, did, client: { clientId, clientSecret } })
    const credentials = [held, await collect(tenant, service.origin, offer)]
    for (const { id: credentialId } of credentials) {
      const path = `/v2/credentials/compact/${credentialId}/revocation-status`
      expect(await tenant.operator.post(path, { isRevoked: true })).toMatchObject({ status: 200 })
    }
    // The new installation goes on with the list of before, and signs it with the same key.
    for (const { list, index } of credentials)
      await eventually(async () => {
        const answer = await request(`${service.origin}${list}`, { headers: { host: tenant.host } })
        const content = Buffer.from(await answer.body.arrayBuffer())
        return !content.equals(firstContent) && readList(content, document).positions.includes(index)
      })
    for await (const report of checkChains(service.deps.db.read, new Map())) expect(report).toHaveProperty('head')
    expect((await service.platform.delete(`/v1/tenants/${id}`)).status).toBe(204)
    await service[Symbol.asyncDispose]()
    expect(await importing()).toContain('cannot be imported twice')
  })

  test('a tenant moves from PostgreSQL to SQLite and back, by the commands', { tags: 'postgres' }, async () => {
    const key = { KEY_ENCRYPTION_KEY: keyEncryptionKey.toString('base64') }
    const commands = createCommands({ ...key, DATA_DIR: dir, SERVICE_SECRET: targetSecret.toString('base64') })
    const run = (words: string, url: string) =>
      commands.run(`workers/signing/moves/main.ts ${words}`, { DATABASE_URL: url })
    const sqlite = `file:${inDir('moved.db')}`
    await commands.run('db/cli/migrate.ts', { DATABASE_URL: sqlite })
    const database = new SqliteDatabase(inDir('moved.db'))
    database.exec(platformRows)
    database.close()
    expect(await run(`import ${inDir('second.export')} --folder ${folder}`, sqlite)).toMatchObject({
      code: 0,
      stderr: '',
    })

    const moved = new SqliteDatabase(inDir('moved.db'))
    moved.exec(`UPDATE tenants SET state = 'moving' WHERE id = '${source.id}'`)
    // The start of the move was long ago.
    moved.exec(`UPDATE audit_events SET timestamp = 0 WHERE type = 'TENANT_MOVE_START_AUDIT'`)
    moved.close()
    const back = inDir('back.export')
    const exported = await run(`export ${source.id} ${back} --to ${join(folder, 'receiver.json')}`, sqlite)
    expect(exported).toMatchObject({ code: 0, stderr: '' })
    const empty = await newDatabase(dir)
    const client = new pg.Client({ connectionString: empty.url })
    await client.connect()
    await client.query(platformRows)
    await client.end()
    expect(await run(`import ${back} --folder ${folder}`, empty.url)).toMatchObject({ code: 0, stderr: '' })
    await empty.drop()
  })
})

/** A platform, for both databases. */
const platformRows = `
  INSERT INTO tenants (id, kind, state, name, subdomain, canonical_host, did, settings, created_at)
  VALUES ('platform', 'platform', 'active', 'Platform', 'platform', 'p.example', 'did:web:p.example', '{}', CURRENT_TIMESTAMP);
  INSERT INTO audit_heads (tenant_id, number, hash) VALUES ('platform', 0, '');`
