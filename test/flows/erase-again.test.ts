import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readErasureList } from '../../db/cli/erasure-list.ts'
import type { Database } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import * as schema from '../../db/schema.ts'
import { auditEvents } from '../../db/tables/operations/audit-events.ts'
import { erasures } from '../../db/tables/operations/erasures.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { erasureSubject } from '../../shared/domain/operations/erasure-subject.ts'
import type { SigningDeps } from '../../workers/signing/deps.ts'
import { createCurrentKeys } from '../../workers/signing/keys/current-keys.ts'
import { signErasureReceipt } from '../../workers/signing/sign-erasure-receipt.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { inherited } from '../harness/started.ts'
import { newWallet } from '../wallets/wallet.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-erase-again-'))
let service: Service
let other: TestTenant
/** The database as it was before the last erasures. */
let restored: OpenDatabase
/** A backup of that moment. Only SQLite has the command. */
const backup = join(dir, 'backup')
const list = join(dir, 'erasures.jsonl')
let since = ''
const kept: string[] = []
const erased: { tenantId: string; userId: string; id: string; salt: string; canary: string }[] = []

beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
  restored = await openNewDatabase()
  await erase(service, await newPerson(service, 'canary-before'))
  erased.length = 0
  await new Promise((resolve) => setTimeout(resolve, 5))
  since = new Date().toISOString()
  const persons = []
  for (const tenant of [service, service, other])
    persons.push([tenant, await newPerson(tenant, `canary-gone-${persons.length}`)] as const)
  kept.push((await newPerson(service, 'canary-kept')).canary)
  await copyRows(service.deps.db, restored.db)
  if (dialect === 'sqlite') await run('backup', backup)
  for (const [tenant, person] of persons) await erase(tenant, person)
  const later = await service.operator.post('/v1/users', { claims: { name: 'canary-later' } })
  await erase(service, { userId: later.body.id, canary: 'canary-later' })
  writeFileSync(list, (await run('export-erasures', '--since', since)).out)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await restored?.drop()
  rmSync(dir, { recursive: true, force: true })
})

/** Creates a user with a canary in the claims, in an offer, and in an issued credential. */
async function newPerson(tenant: TestTenant, canary: string) {
  const configuration = await compactConfiguration(tenant, { revocable: true })
  const user = await tenant.operator.post('/v1/users', { claims: { family_name: canary } })
  const { uri, userId } = await newOffer(tenant, [configuration], {
    ...{ userId: user.body.id, claims: { given_name: canary }, claimsToPersist: ['given_name'] },
  })
  const wallet = await newWallet(tenant, service.origin, uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  await newOffer(tenant, [configuration], { userId, claims: { given_name: canary } })
  return { userId, canary }
}

async function erase(tenant: TestTenant, { userId, canary }: { userId: string; canary: string }): Promise<void> {
  const { status, headers } = await tenant.operator.delete(`/v1/users/${userId}`)
  expect(status).toBe(204)
  const { 'erasure-id': id = '', 'erasure-salt': salt = '' } = headers as Record<string, string>
  erased.push({ tenantId: tenant.id, userId, id, salt, canary })
}

// Boundary: both dialects' tables are PostgreSQL's to the type checker.
const tables = Object.values(schema).filter((each: unknown) => is(each, PgTable) || is(each, SQLiteTable)) as PgTable[]

async function copyRows(from: Database, to: Database): Promise<void> {
  for (const table of tables) {
    const rows = await from.read.select().from(table)
    for (const chunk of chunksOf(rows, 100)) await to.tx(async (tx) => void (await tx.insert(table).values(chunk)))
  }
}

/** Returns which of the texts are in rows of the database. */
async function foundIn(db: Database, texts: string[]): Promise<string[]> {
  let rows = ''
  for (const table of tables) rows += JSON.stringify(await db.read.select().from(table))
  return texts.filter((text) => rows.includes(text))
}

interface Ended {
  code: number
  out: string
  err: string
}

/** Runs a command on the database of the service, or on that of `env`. */
function run(script: string, ...words: string[]): Promise<Ended> {
  const { dataDir, databaseUrl } = service.deps.config
  return runOn({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, script, ...words)
}

function runOn(env: Record<string, string>, script: string, ...words: string[]): Promise<Ended> {
  const path = join(import.meta.dirname, `../../db/cli/${script}.ts`)
  return new Promise((resolve) =>
    execFile(process.execPath, [path, ...words], { env: { ...inherited(), ...env } }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err: err.trim() }),
    ),
  )
}

const runRestored = (...words: string[]) =>
  runOn({ DATA_DIR: restored.dir, DATABASE_URL: restored.url }, 'restored', ...words)

test('the export has the erasures of all tenants since the date, and its last line has their number', async () => {
  const lines = readFileSync(list, 'utf8').trimEnd().split('\n')
  const end = JSON.parse(lines.pop() ?? '')
  expect(end).toMatchObject({ since, erasures: erased.length })
  expect(new Date(end.until) <= new Date()).toBe(true)
  const byId = (a: { userId: string }, b: { userId: string }) => a.userId.localeCompare(b.userId)
  const expected = erased.map(({ tenantId, userId, id, salt }) => ({
    ...{ tenantId, userId, erasedAt: expect.any(String) },
    receipt: { id, subject: erasureSubject(userId, salt) },
  }))
  expect(lines.map((line) => JSON.parse(line)).sort(byId)).toEqual(expected.sort(byId))
  expect(readFileSync(list, 'utf8')).not.toContain('canary')
})

test('a restored backup never contains the people who were erased after it', { tags: 'sqlite' }, async () => {
  const canaries = erased.map(({ canary }) => canary).filter((canary) => canary !== 'canary-later')
  const marks = [...canaries, ...kept]
  const target = join(dir, 'installation')
  const marksIn = (folder: string) => {
    const files = globSync('**/*', { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile())
    const bytes = Buffer.concat(files.map((file) => readFileSync(join(folder, file))))
    return marks.filter((mark) => bytes.includes(mark))
  }
  expect(marksIn(backup)).toEqual(marks)
  const { code, out } = await runOn(
    { DATA_DIR: target },
    ...(['restore', backup, '--erase-since', since, '--erasures', list] as const),
  )
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('3 users were erased again. 1 others of the list are not in the database. The list ends'),
  ])
  expect(globSync('**/*', { cwd: target })).toContain('trustwright.db')
  expect(marksIn(target)).toEqual(kept)
  expect(
    await runOn({ DATA_DIR: target, DATABASE_URL: `file:${target}/trustwright.db` }, 'verify-audit'),
  ).toMatchObject({
    code: 0,
  })

  const asking = await runOn({ DATA_DIR: join(dir, 'another') }, 'restore', backup)
  expect(asking.out).toContain('npm run restored -- --erase-since DATE --erasures FILE')
  expect(marksIn(join(dir, 'another'))).toEqual(marks)
  const refused = await runOn(
    { DATA_DIR: join(dir, 'third') },
    ...(['restore', backup, '--erase-since', '2020-01-01', '--erasures', list] as const),
  )
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('begins at') })
  expect(globSync('third/*', { cwd: dir })).toEqual([])
})

test('a list or date that cannot be used is refused with what to do, and nothing is erased', async () => {
  const write = (name: string, content: string) => {
    writeFileSync(join(dir, name), content)
    return join(dir, name)
  }
  const whole = readFileSync(list, 'utf8')
  const lines = whole.split('\n')
  const cut = write('cut.jsonl', lines.slice(0, 2).join('\n'))
  const shorter = write('shorter.jsonl', lines.slice(1).join('\n'))
  const broken = write('broken.jsonl', whole.replace('"userId"', '"user"'))
  const missing = join(dir, 'missing.jsonl')
  const refusals: [date: string | undefined, file: string | undefined, message: string][] = [
    [since, undefined, '--erase-since needs --erasures FILE: the newest output of `npm run erasures:export`.'],
    [undefined, list, '--erasures needs --erase-since DATE: the date of the backup.'],
    ['20.11.2026', list, '--erase-since must be a date, such as 2026-11-20 or 2026-11-20T10:00:00Z.'],
    ['2026-02-31T99:00Z', list, '--erase-since must be a date, such as 2026-11-20 or 2026-11-20T10:00:00Z.'],
    [since, missing, `There is no file at ${missing}. Name an output of \`npm run erasures:export\`.`],
    [
      '2020-01-01',
      list,
      `${list} begins at ${since}. Name an output of \`npm run erasures:export -- --since 2020-01-01\`.`,
    ],
    [since, cut, `${cut} is incomplete. Name another output of \`npm run erasures:export\`.`],
    [since, shorter, `${shorter} is incomplete. Name another output of \`npm run erasures:export\`.`],
    [since, broken, `${broken}, line 1: not a line of \`npm run erasures:export\`.`],
  ]
  for (const [date, file, message] of refusals)
    expect(() => readErasureList({ 'erase-since': date, erasures: file })).toThrow(new Error(message))
  expect(await runRestored('--erase-since', since)).toMatchObject({ code: 1, err: refusals[0]?.[2] })
  const without = await run('export-erasures')
  expect([without.code, without.err]).toEqual([1, expect.stringContaining('--since DATE > erasures.jsonl')])
  expect((await runRestored()).out).toContain('npm run restored -- --erase-since DATE --erasures FILE')
  const canaries = erased.map(({ canary }) => canary).filter((canary) => canary !== 'canary-later')
  expect(await foundIn(restored.db, canaries)).toEqual(canaries)
})

test('a restored database loses the people of the list, and their receipts are signed for the same subjects', async () => {
  const canaries = erased.map(({ canary }) => canary)
  const again = () => runRestored('--erase-since', since, '--erasures', list)
  expect(await again()).toMatchObject({
    code: 0,
    out: expect.stringContaining('3 users were erased again. 1 others of the list are not in the database.'),
  })
  expect(await foundIn(restored.db, [...canaries, ...kept])).toEqual(kept)
  expect(await again()).toMatchObject({ code: 0, out: expect.stringContaining('0 users were erased again. 4 others') })

  const { clock, config } = service.deps
  const currentKeys = createCurrentKeys(service.keyring)
  // Boundary: the signature of a receipt needs only these.
  const deps = { db: restored.db, clock, currentKeys, publicScheme: config.publicScheme } as SigningDeps
  for (const { tenantId, userId, id, salt } of erased.slice(0, 3)) {
    expect(await restored.db.read.$count(outbox, eq(outbox.id, id))).toBe(1)
    await signErasureReceipt(deps, { tenantId, erasureId: id })
    const [row] = await restored.db.read.select().from(erasures).where(eq(erasures.id, id))
    const { jti, sub, audit, credentials_revoked } = decodeJwt<{
      audit: { number: number }
      credentials_revoked: number
    }>(row?.receipt ?? '')
    expect([jti, sub, credentials_revoked]).toEqual([id, erasureSubject(userId, salt), 1])
    const rows = await restored.db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenantId))
    expect(rows.find(({ number }) => number === audit.number)).toMatchObject({
      ...{ type: 'USER_DELETE_AUDIT', data: { id: userId, erasureId: id }, clientId: null, managementUserId: null },
    })
  }
  expect(await runOn({ DATA_DIR: restored.dir, DATABASE_URL: restored.url }, 'verify-audit')).toMatchObject({ code: 0 })
})
