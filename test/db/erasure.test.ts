import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, type Reader, type Writer } from '../../db/client.ts'
import { statesOfUser } from '../../db/repos/issuance/users/user-states.ts'
import { createUserTerms, withUserTerms } from '../../db/repos/issuance/users/user-terms.ts'
import { insertEvents } from '../../db/repos/operations/search/events.ts'
import { eraseUser } from '../../db/retention/erasure.ts'
import * as schema from '../../db/schema.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { sharedOffers } from '../../db/tables/issuance/shared-offers.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { events } from '../../db/tables/operations/events.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { statusChanges } from '../../db/tables/status/changes.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { newId } from '../../shared/ids.ts'
import { openedData } from '../harness/data-folder.ts'
import { openNewDatabase } from '../harness/database.ts'

/** The users of these tests have no claims. */
const noTerms = createUserTerms()

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

const at = new Date()

async function newUser(tx: Writer, tenantId: string): Promise<string> {
  const id = newId()
  await tx
    .insert(users)
    .values({ id, tenantId, claims: {}, providerId: null, subjectId: null, issuer: null, createdAt: at })
  return id
}

async function newCredential(tx: Writer, tenantId: string, userId: string, offerId = newId()): Promise<string> {
  const id = newId()
  const ids = { id, tenantId, userId, offerId, issuanceId: newId(), sessionId: newId(), configurationId: newId() }
  const said = { profile: 'compact', type: 'Test', status: 'valid', position: 0 } as const
  const times = { issuedAt: at, validFrom: at, validUntil: null }
  // Boundary: nothing here looks at the key.
  await tx.insert(credentials).values({ ...ids, ...said, ...times, devicePublicKey: {} as never })
  return id
}

test('the erasure of a user revokes exactly the credentials of that user and removes their ids', async () => {
  const [tenantId, listId, otherListId] = [newId(), newId(), newId()]
  const erased = await db.tx(async (tx) => {
    const [one, another] = [await newUser(tx, tenantId), await newUser(tx, tenantId)]
    const entry = async (list: string, position: number, userId: string, status: 'valid' | 'invalid' = 'valid') => {
      const credentialId = await newCredential(tx, tenantId, userId)
      await tx.insert(statusEntries).values({ tenantId, listId: list, position, credentialId, status })
    }
    await entry(listId, 0, one)
    await entry(listId, 1, one)
    await entry(listId, 2, another)
    await entry(otherListId, 0, one, 'invalid')
    await newCredential(tx, tenantId, one)
    return one
  })
  expect(await db.tx((tx) => eraseUser(tx, tenantId, erased, at, noTerms))).toEqual({
    rows: { users: 1, credentials: 4, status_entries: 3 },
    revoked: 2,
    lists: [listId, otherListId].sort(),
  })

  const rows = await db.read.select().from(statusEntries).orderBy(statusEntries.position)
  const of = (list: string) => rows.filter((row) => row.listId === list)
  expect(of(listId)).toMatchObject([
    { status: 'invalid', credentialId: null },
    { status: 'invalid', credentialId: null },
    { status: 'valid', credentialId: expect.any(String) },
  ])
  expect(of(otherListId)).toMatchObject([{ status: 'invalid', credentialId: null }])
  // One change of the list whose entries changed, and none of the other list.
  expect(await db.read.select().from(statusChanges)).toMatchObject([{ tenantId, listId }])
  expect(await db.read.$count(credentials)).toBe(1)
})

test('the erasure of a user removes the timelines of that user, and keeps those of shared offers, also deleted ones', async () => {
  const [tenantId, ownOfferId, sharedId, foreignId] = [newId(), newId(), newId(), newId()]
  const erased = await db.tx(async (tx) => {
    const userId = await newUser(tx, tenantId)
    await newCredential(tx, tenantId, userId, ownOfferId)
    await newCredential(tx, tenantId, userId, sharedId)
    await tx
      .insert(sharedOffers)
      .values({ id: sharedId, tenantId, configurationIds: [], requestParameters: {}, deletedAt: at, createdAt: at })
    const said = { type: 'CREDENTIAL_SUCCESS', category: 'CREDENTIALS', timestamp: at.toISOString(), data: {} }
    const happened = [ownOfferId, sharedId, foreignId].map((offerId) => ({
      ...said,
      ...{ id: newId(), requestId: newId(), tenantId, offerId },
    }))
    await insertEvents(tx, happened)
    return userId
  })
  await db.tx((tx) => eraseUser(tx, tenantId, erased, at, noTerms))

  const left = await db.read.select({ offerId: events.offerId }).from(events)
  expect(left.map(({ offerId }) => offerId).sort()).toEqual([sharedId, foreignId].sort())
  // Events that come late go, too.
  const jobs = (await db.read.select().from(outbox)).map(({ job, payload }) => ({ job, payload }))
  expect(jobs).toContainEqual({
    job: 'finishErasure',
    payload: { tenantId, userId: erased, offerIds: [ownOfferId] },
  })
})

// Boundary: both dialects' tables are PostgreSQL's to the type checker.
const tables = Object.values(schema).filter((each: unknown) => is(each, PgTable) || is(each, SQLiteTable)) as PgTable[]

async function countRows(reader: Reader): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const table of tables) counts.set(getTableName(table), await reader.$count(table))
  return counts
}

test('an erasure returns the number of deleted rows of each table, and of emptied deliveries', async () => {
  const { url, facts, held, drop: dropData } = await openedData('12.22.0')
  const data = openDatabase(url, { survives: 'crash' })
  const { tenantId } = facts
  const before = await countRows(data.read)
  const terms = await statesOfUser(data.read, tenantId, held.userId)
  const erased = await withUserTerms(terms, (of) => data.tx((tx) => eraseUser(tx, tenantId, held.userId, at, of)))
  const after = await countRows(data.read)
  await data.close()
  await dropData()
  const deleted = [...before].flatMap(([name, count]) => {
    const lost = count - (after.get(name) ?? 0)
    return lost > 0 ? [[name, lost]] : []
  })
  const dependents = ['user_claim_terms', 'session_claims', 'notifications', 'events']
  expect(deleted.map(([name]) => name)).toEqual(expect.arrayContaining(dependents))
  expect(erased?.rows).toEqual({ ...Object.fromEntries(deleted), deliveries: 4 })
})
