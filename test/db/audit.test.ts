import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq, gte } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, type Writer } from '../../db/client.ts'
import { checkChains, type Noted } from '../../db/repos/operations/audit/audit-chain.ts'
import { hashOfAuditRow } from '../../db/repos/operations/audit/audit-hash.ts'
import { changesBy } from '../../db/repos/operations/audit/audited.ts'
import { deleteTenant, insertTenant } from '../../db/repos/tenancy/tenants.ts'
import { auditEvents } from '../../db/tables/operations/audit-events.ts'
import { auditHeads } from '../../db/tables/operations/audit-heads.ts'
import { defaultSettings, tenants } from '../../db/tables/tenancy/tenants.ts'
import { systemClock } from '../../shared/clock.ts'
import { openNewDatabase } from '../harness/database.ts'
import { inherited } from '../harness/started.ts'

let database: Awaited<ReturnType<typeof openNewDatabase>>
let db: Database
beforeAll(async () => {
  database = await openNewDatabase()
  ;({ db } = database)
})
afterAll(() => database.drop())

async function newTenant(): Promise<string> {
  const subdomain = `t${randomUUID()}`
  const content = { subdomain, name: 'Test', canonicalHost: subdomain, did: `did:web:${subdomain}` }
  const tenantRow = { kind: 'tenant' as const, settings: defaultSettings, ...content }
  const row = await db.tx((tx) => insertTenant(tx, tenantRow, new Date()))
  return row!.id
}

function tellAbout(tenantId: string, data: Record<string, unknown> = {}, over = db): Promise<void> {
  const change = changesBy({ db: over, clock: systemClock }, { event: 'TEST', clientId: 'test' })
  return change(async (_tx, tell) => tell(tenantId, data))
}

async function newChain(rows: number): Promise<string> {
  const tenantId = await newTenant()
  for (let i = 1; i <= rows; i++) await tellAbout(tenantId, { b: i, a: ['ключ \u2028', null, { y: 1.5, x: true }] })
  return tenantId
}

/** As an operator runs it, in a process of its own. */
function verify(...words: string[]): Promise<{ code: number; out: string[]; err: string[] }> {
  return verifyAt({ DATA_DIR: database.dir, DATABASE_URL: database.url }, ...words)
}

function verifyAt(
  places: Record<string, string>,
  ...words: string[]
): Promise<{ code: number; out: string[]; err: string[] }> {
  const script = join(import.meta.dirname, '../../db/cli/verify-audit.ts')
  const env = { ...inherited(), ...places }
  return new Promise((resolve) =>
    execFile(process.execPath, [script, ...words], { env }, (error, stdout, stderr) => {
      const lines = (text: string) => text.split('\n').filter(Boolean)
      resolve({ code: error ? Number(error.code) : 0, out: lines(stdout), err: lines(stderr) })
    }),
  )
}

/** What is found out about one tenant's chain; undefined when nothing is wrong. */
async function faultOf(tenantId: string, noted = new Map<string, Noted>()): Promise<string | undefined> {
  for await (const report of checkChains(db.read, noted)) {
    if (report.tenantId === tenantId) return 'fault' in report ? report.fault : undefined
  }
  throw new Error('its chain was not looked at')
}

const rowOf = (tenantId: string, number: number) =>
  and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.number, number))

/** A row as an attacker with write access to the database can create it: its own hash is correct. */
async function forge(tx: Writer, tenantId: string, number: number, previousHash: string): Promise<string> {
  const row = { tenantId, number, previousHash, type: 'FORGED', data: {}, clientId: null }
  const whole = { ...row, id: randomUUID(), requestId: randomUUID(), timestamp: new Date() }
  const hash = hashOfAuditRow(whole)
  await tx.insert(auditEvents).values({ ...whole, hash })
  return hash
}

async function hashAt(tx: Writer, tenantId: string, number: number): Promise<string> {
  const [row] = await tx.select().from(auditEvents).where(rowOf(tenantId, number))
  return row!.hash
}

/** Gives every row from `number` on another number; by way of negative ones, as two may not have the same. */
async function renumber(tx: Writer, tenantId: string, number: number, by: 1 | -1): Promise<void> {
  const from = and(eq(auditEvents.tenantId, tenantId), gte(auditEvents.number, number))
  const rows = await tx.select({ number: auditEvents.number }).from(auditEvents).where(from)
  for (const { number: old } of rows) await tx.update(auditEvents).set({ number: -old }).where(rowOf(tenantId, old))
  for (const { number: old } of rows)
    await tx
      .update(auditEvents)
      .set({ number: old + by })
      .where(rowOf(tenantId, -old))
}

test('an offline check accepts the unchanged chains of all tenants', async () => {
  const tenantId = await newChain(3)
  await newTenant()
  const { code, out } = await verify()
  expect([code, out]).toEqual([0, [expect.stringMatching(/^\d+ chains of \d+ rows are unchanged$/)]])
  const heads = await verify('--head')
  const [head] = await db.read.select().from(auditHeads).where(eq(auditHeads.tenantId, tenantId))
  expect(heads.out).toContain(`${tenantId} 3 ${head!.hash}`)
})

const tampers: [what: string, tamper: (tx: Writer, tenantId: string) => Promise<unknown>, fault: string][] = [
  [
    'content changed',
    (tx, id) =>
      tx
        .update(auditEvents)
        .set({ data: { b: 3 } })
        .where(rowOf(id, 3)),
    'row 3 was changed',
  ],
  [
    'the client changed',
    (tx, id) => tx.update(auditEvents).set({ clientId: 'another' }).where(rowOf(id, 1)),
    'row 1 was changed',
  ],
  ['the last changed', (tx, id) => tx.update(auditEvents).set({ type: 'X' }).where(rowOf(id, 5)), 'row 5 was changed'],
  [
    'a row replaced by one that is right in itself',
    async (tx, id) => {
      await tx.delete(auditEvents).where(rowOf(id, 3))
      await forge(tx, id, 3, await hashAt(tx, id, 2))
    },
    'row 3 was changed',
  ],
  [
    'the last replaced by one that is right in itself',
    async (tx, id) => {
      await tx.delete(auditEvents).where(rowOf(id, 5))
      await forge(tx, id, 5, await hashAt(tx, id, 4))
    },
    'row 5 was changed: the head has another hash',
  ],
  ['the first deleted', (tx, id) => tx.delete(auditEvents).where(rowOf(id, 1)), 'row 1 was removed'],
  ['one deleted', (tx, id) => tx.delete(auditEvents).where(rowOf(id, 3)), 'row 3 was removed'],
  ['the last deleted', (tx, id) => tx.delete(auditEvents).where(rowOf(id, 5)), 'row 5 was removed'],
  [
    'one deleted, and the gap closed',
    async (tx, id) => {
      await tx.delete(auditEvents).where(rowOf(id, 3))
      await renumber(tx, id, 4, -1)
      await tx.update(auditHeads).set({ number: 4 }).where(eq(auditHeads.tenantId, id))
    },
    'row 3 was removed or moved',
  ],
  [
    'one put in',
    async (tx, id) => {
      await renumber(tx, id, 3, 1)
      await forge(tx, id, 3, await hashAt(tx, id, 2))
      await tx.update(auditHeads).set({ number: 6 }).where(eq(auditHeads.tenantId, id))
    },
    'row 3 was added',
  ],
  ['one put at the end', async (tx, id) => forge(tx, id, 6, await hashAt(tx, id, 5)), 'row 6 was added'],
  [
    'two swapped',
    async (tx, id) => {
      for (const [from, to] of [
        [3, -3],
        [4, 3],
        [-3, 4],
      ] as const) {
        await tx.update(auditEvents).set({ number: to }).where(rowOf(id, from))
      }
    },
    'row 3 was removed or moved',
  ],
  ['the head deleted', (tx, id) => tx.delete(auditHeads).where(eq(auditHeads.tenantId, id)), 'the head was removed'],
  [
    'all deleted',
    async (tx, id) => {
      await tx.delete(auditEvents).where(eq(auditEvents.tenantId, id))
      await tx.delete(auditHeads).where(eq(auditHeads.tenantId, id))
    },
    'there is no chain',
  ],
]

test.each(tampers)('%s: the check names the fault', async (_what, tamper, fault) => {
  const tenantId = await newChain(5)
  await db.tx((tx) => tamper(tx, tenantId))
  expect(await faultOf(tenantId)).toBe(fault)
})

test('a noted head reveals a rewritten chain', async () => {
  const tenantId = await newChain(2)
  const [head] = await db.read.select().from(auditHeads).where(eq(auditHeads.tenantId, tenantId))
  const noted = new Map([[tenantId, { head: head! }]])
  await tellAbout(tenantId)
  expect(await faultOf(tenantId, noted)).toBeUndefined()

  await db.tx(async (tx) => {
    await tx.delete(auditEvents).where(eq(auditEvents.tenantId, tenantId))
    const hash = await forge(tx, tenantId, 1, '')
    await tx.update(auditHeads).set({ number: 1, hash }).where(eq(auditHeads.tenantId, tenantId))
  })
  expect(await faultOf(tenantId)).toBeUndefined()
  expect(await faultOf(tenantId, noted)).toBe('row 2 was removed: a later head was noted')
  await tellAbout(tenantId)
  expect(await faultOf(tenantId, noted)).toBe('row 2 differs from the noted head')
})

test('an invalid line of noted heads ends the check', async () => {
  const file = join(database.dir, 'not-heads.txt')
  const line = `${randomUUID()} many -`
  writeFileSync(file, `${line}\n`)
  expect(await verify('--noted', file)).toMatchObject({ code: 1, err: [`Not a line of --head: ${line}`] })
})

test('the command names the fault and exits with 1, also if only a noted head reveals it', async () => {
  const [tenantId, gone] = [await newChain(2), randomUUID()]
  const file = join(database.dir, 'heads.txt')
  writeFileSync(file, `${gone} 1 ${'0'.repeat(64)}\n`)
  await db.tx((tx) => tx.delete(auditEvents).where(rowOf(tenantId, 1)))
  const { code, err } = await verify('--noted', file)
  expect(code).toBe(1)
  expect(err).toContain(`tenant ${tenantId}: row 1 was removed`)
  expect(err).toContain(`tenant ${gone}: there is no chain`)
})

test('the command creates neither a database nor a secret', async () => {
  const folder = mkdtempSync(join(database.dir, 'nothing-'))
  const { code, err } = await verifyAt({ DATA_DIR: folder, DATABASE_URL: `file:${join(folder, 'none.db')}` })
  expect([code, err]).toEqual([1, [`There is no database at ${join(folder, 'none.db')}.`]])
  expect(await verifyAt({ DATA_DIR: folder, DATABASE_URL: database.url })).toMatchObject({ err: expect.any(Array) })
  expect(readdirSync(folder)).toEqual([])
})

test('fifty concurrent changes of one tenant from two processes make one chain', async () => {
  const [tenantId, other] = [await newTenant(), await newTenant()]
  const second = openDatabase(database.url, { survives: 'crash' })
  try {
    const entries = Array.from({ length: 50 }, (_, i) => tellAbout(tenantId, { i }, i % 2 ? db : second))
    await Promise.all([...entries, tellAbout(other)])
  } finally {
    await second.close()
  }
  const rows = await db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenantId))
  expect(rows.map(({ number }) => number).sort((a, b) => a - b)).toEqual(rows.map((_, at) => at + 1))
  expect(rows).toHaveLength(50)
  expect(await faultOf(tenantId)).toBeUndefined()
})

// SQLite has one writer at a time anyway.
test('a transaction that waits for a chain does not block changes of other tenants', { tags: 'postgres' }, async () => {
  const [slow, other] = [await newTenant(), await newTenant()]
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.tx(async (tx) => {
    await tx.update(auditHeads).set({ number: 0 }).where(eq(auditHeads.tenantId, slow))
    held.resolve()
    await release.promise
  })
  await held.promise
  let isDone = false
  const waiting = tellAbout(slow).then(() => {
    isDone = true
  })
  await tellAbout(other)
  expect(isDone).toBe(false)
  release.resolve()
  await Promise.all([holding, waiting])
})

test('a rolled-back change leaves no row and no gap', async () => {
  const tenantId = await newTenant()
  const change = changesBy({ db, clock: systemClock }, { event: 'TEST' })
  const failing = change(async (_tx, tell) => {
    tell(tenantId, {})
    tell(randomUUID(), {}) // a tenant that does not exist
  })
  await expect(failing).rejects.toThrow('Resource Not Found')
  await tellAbout(tenantId)
  const rows = await db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenantId))
  expect(rows).toMatchObject([{ number: 1, previousHash: '' }])
})

test('a tenant that is being removed has no chain and gets none', async () => {
  const tenantId = await newChain(2)
  await db.tx((tx) => tx.update(tenants).set({ state: 'active' }).where(eq(tenants.id, tenantId)))
  const ended = await db.tx((tx) => deleteTenant(tx, tenantId, new Date()))
  expect(ended?.auditHead).toMatchObject({ number: 2 })
  // The rows are removed with the tenant's others: a request must not do what can take minutes.
  expect(await db.read.$count(auditEvents, eq(auditEvents.tenantId, tenantId))).toBe(2)
  await expect(tellAbout(tenantId)).rejects.toThrow('Resource Not Found')
  for await (const report of checkChains(db.read, new Map())) expect(report.tenantId).not.toBe(tenantId)
})

test('a tenant of a version without an audit starts its chain with its first change', async () => {
  const tenantId = await newTenant()
  await db.tx((tx) => tx.delete(auditHeads).where(eq(auditHeads.tenantId, tenantId)))
  await Promise.all([tellAbout(tenantId), tellAbout(tenantId)])
  expect(await faultOf(tenantId)).toBeUndefined()
})
