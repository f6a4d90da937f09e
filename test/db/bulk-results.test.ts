import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLinkResults } from '../../api/issuance/bulk/link-results.ts'
import { resultVersion } from '../../api/issuance/bulk/results.ts'
import type { Writer } from '../../db/client.ts'
import {
  type BulkIssuanceRow,
  findBulkIssuance,
  insertBulkIssuance,
} from '../../db/repos/issuance/bulk/bulk-issuances.ts'
import { insertBulkRows, listBulkResults } from '../../db/repos/issuance/bulk/bulk-rows.ts'
import { moveBulk } from '../../db/repos/issuance/bulk/bulk-runs.ts'
import { listLinkResults } from '../../db/repos/issuance/claim-links/listed-claim-links.ts'
import { newClaimLinkRow } from '../../db/repos/issuance/claim-links/new-claim-links.ts'
import { createUserTerms } from '../../db/repos/issuance/users/user-terms.ts'
import { eraseUser } from '../../db/retention/erasure.ts'
import { claimLinks } from '../../db/tables/issuance/claim-links.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { newId } from '../../shared/ids.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { plansOf, wholeScansIn } from './plans.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

const at = new Date('2026-01-01T12:00:00.000Z')
const tenantId = newId()
const tenant = { id: tenantId, baseUrl: 'https://t.example', sealedSecret: null }

function versionOf(bulk: BulkIssuanceRow | undefined): string | null {
  if (!bulk) throw new Error('there is no such bulk issuance')
  const secrets = createSecrets([Buffer.alloc(32, 7)])
  const deps = { db: database.db, secrets, clock: { now: () => at } }
  return resultVersion({ deps, bulk, tenant })
}

/** A bulk issuance that has ended, with a row of each user. */
async function newBulk(tx: Writer, ...userIds: string[]): Promise<string> {
  return newBulkOf(tx, userIds, '')
}

async function newBulkOf(tx: Writer, userIds: string[], sealedResult: string): Promise<string> {
  const id = newId()
  const starter = { startedBy: 'a', starter: 'client' } as const
  await insertBulkIssuance(tx, { id, tenantId, fileName: 'a.csv', ...starter, createdAt: at, expiresAt: null })
  await moveBulk(tx, tenantId, id, { from: ['receiving'], state: 'done', endedAt: at })
  const empty = { sealedClaims: null, errorColumn: null, code: null, message: null, credentialId: null }
  const row = { tenantId, bulkId: id, state: 'done', ...empty, sealedResult, sealedKept: null } as const
  const rows = userIds.map((userId, place) => ({ ...row, row: place + 1, externalId: `${place}`, userId }))
  await insertBulkRows(tx, rows)
  return id
}

async function newUser(tx: Writer): Promise<string> {
  const id = newId()
  const none = { claims: {}, providerId: null, subjectId: null, issuer: null }
  await tx.insert(users).values({ id, tenantId, ...none, createdAt: at })
  return id
}

test('the version of results is known without a read of rows', async () => {
  const id = await database.db.tx(async (tx) => newBulk(tx, await newUser(tx)))
  const plans = await plansOf(database.url, async (tx) => {
    expect(versionOf(await findBulkIssuance(tx, tenantId, id))).toEqual(expect.any(String))
  })
  expect(plans).toHaveLength(1)
  expect(wholeScansIn(plans)).toEqual([])
})

test('an erasure changes the version of the results with a row of the person, and of no others', async () => {
  const { db } = database
  const made = await db.tx(async (tx) => {
    const [person, other] = [await newUser(tx), await newUser(tx)]
    const bulkIds = [
      await newBulk(tx, person, other),
      await newBulk(tx, other, person, person),
      await newBulk(tx, other),
    ]
    return { person, other, bulkIds }
  })
  const versions = async () =>
    Promise.all(made.bulkIds.map(async (id) => versionOf(await findBulkIssuance(db.read, tenantId, id))))
  const before = await versions()
  await db.tx((tx) => eraseUser(tx, tenantId, made.person, at, createUserTerms()))
  const after = await versions()
  expect(after.map((version, place) => version === before[place])).toEqual([false, false, true])
  await db.tx((tx) => eraseUser(tx, tenantId, made.other, at, createUserTerms()))
  const last = await versions()
  expect(last.map((version, place) => version === before[place] || version === after[place])).toEqual([
    false,
    false,
    false,
  ])
})

test('the erasure of a person who has opened a claim link changes the version', async () => {
  const { db } = database
  const secrets = createSecrets([Buffer.alloc(32, 7)])
  const { bulkId, userId } = await db.tx(async (tx) => {
    const made = { bulkId: await newBulk(tx), userId: await newUser(tx) }
    const link = {
      ...made,
      row: 1,
      externalId: '1',
      configurationIds: [],
      claims: {},
      expiresAt: at,
    }
    await tx.insert(claimLinks).values(newClaimLinkRow(tenant, link, { secrets, at }))
    return made
  })
  const version = async () => versionOf(await findBulkIssuance(db.read, tenantId, bulkId))
  const before = await version()
  await db.tx((tx) => eraseUser(tx, tenantId, userId, at, createUserTerms()))
  expect(await version()).not.toBe(before)
})

test.each([
  [1, 50],
  [30_000, 4],
  [100_000, 1],
  [400_000, 1],
])('a page of results of %i bytes has %i rows', async (bytes, count) => {
  const { db } = database
  const userIds = Array.from({ length: 120 }, newId)
  const id = await db.tx((tx) => newBulkOf(tx, userIds, 'é'.repeat(Math.ceil(bytes / 2))))
  const read: number[] = []
  for (let cursor = 0; ; cursor = read.at(-1) ?? 0) {
    const page = await listBulkResults(db.read, tenantId, id, { cursor, limit: 50, maxBytes: 100_000 })
    if (page.length === 0) break
    expect(page.length).toBeLessThanOrEqual(count)
    if (read.length === 0) expect(page).toHaveLength(count)
    read.push(...page.map(({ row }) => row))
  }
  expect(read).toEqual(userIds.map((_, place) => place + 1))
})

/** Stores claim links with transaction codes, whose sealed content has about so many bytes each. */
async function newLinks(count: number, bytes: number): Promise<string> {
  const secrets = createSecrets([Buffer.alloc(32, 7)])
  const common = { configurationIds: [], claims: { name: 'x'.repeat(bytes) }, transactionCode: {}, expiresAt: at }
  return database.db.tx(async (tx) => {
    const bulkId = await newBulk(tx)
    const linkOf = (_: unknown, place: number) =>
      newClaimLinkRow(tenant, { ...common, bulkId, row: place + 1 }, { secrets, at })
    await tx.insert(claimLinks).values(Array.from({ length: count }, linkOf))
    return bulkId
  })
}

test.each([
  [1, 50],
  [30_000, 3],
  [100_000, 1],
])('a page of links with codes and %i bytes of claims has %i rows', async (bytes, count) => {
  const bulkId = await newLinks(60, bytes)
  const read: number[] = []
  for (let after = 0; ; after = read.at(-1) ?? 0) {
    const query = { after, limit: 50, maxBytes: 100_000, withContent: true }
    const page = await listLinkResults(database.db.read, tenantId, bulkId, query)
    if (page.length === 0) break
    if (read.length === 0) expect(page).toHaveLength(count)
    expect(page.every(({ sealedContent }) => (sealedContent ?? '').length > bytes)).toBe(true)
    read.push(...page.map(({ row }) => row))
  }
  expect(read).toEqual(Array.from({ length: 60 }, (_, place) => place + 1))
})

test.each([
  ['with codes', ['row', 'externalId', 'link', 'transactionCode'], [true, true]],
  ['without codes', ['row', 'externalId', 'link'], [false]],
])('results %s read the sealed content of links if they need it', async (_name, columns, reads) => {
  const bulkId = await newLinks(3, 100)
  const bulk = await findBulkIssuance(database.db.read, tenantId, bulkId)
  const secrets = createSecrets([Buffer.alloc(32, 7)])
  const page = { after: 0, limit: 50, maxBytes: 100_000 }
  const queries = await plansOf(database.url, async (tx) => {
    const deps = { db: { ...database.db, read: tx }, secrets, clock: { now: () => at } }
    const rows = await readLinkResults({ deps, bulk: bulk!, tenant }, page, columns)
    expect(rows.map((row) => Object.keys(row))).toEqual([columns, columns, columns])
  })
  expect(queries.map((query) => query.includes('sealed_content'))).toEqual(reads)
})
