import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { findStatus, type StatusToSet, setStatuses } from '../../db/repos/status/entries.ts'
import { endAllLists, hasListsOf, hasStatusUnder, openList, reserveIndexes } from '../../db/repos/status/lists.ts'
import { signedCredentials } from '../../db/tables/credentials/signed-credentials.ts'
import { dids } from '../../db/tables/identifiers/dids.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { statusChanges } from '../../db/tables/status/changes.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { statusLists } from '../../db/tables/status/lists.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { openNewDatabase } from '../harness/database.ts'
import { versionOf } from '../harness/revocable.ts'

const at = new Date('2026-01-01T00:00:00.000Z')

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

let lastPosition = 0

type Status = 'valid' | 'invalid' | 'suspended'
type Content = Partial<typeof credentials.$inferInsert>

/** A credential that was issued to a wallet, with an entry in a list, if one is given. */
async function issued(tenantId: string, listId: string | null, status: Status = 'valid', content: Content = {}) {
  const id = newId()
  await db.tx(async (tx) => {
    const ids = { userId: newId(), offerId: newId(), issuanceId: newId(), sessionId: newId(), configurationId: newId() }
    const said = { profile: 'compact', type: 'Test', status, position: 0 } as const
    const times = { issuedAt: at, validFrom: at, validUntil: null }
    // Boundary: nothing here reads the key.
    const row = { id, tenantId, ...ids, ...said, ...times, devicePublicKey: {} as never, ...content }
    await tx.insert(credentials).values(row)
    if (listId !== null)
      await tx.insert(statusEntries).values({ tenantId, listId, position: lastPosition++, credentialId: id, status })
  })
  return id
}

async function signed(tenantId: string, listId: string | null, cancelledAt: Date | null = null) {
  const id = newId()
  await db.tx(async (tx) => {
    await tx.insert(signedCredentials).values({ id, tenantId, profile: 'web-semantic', issuedAt: at, cancelledAt })
    if (listId !== null)
      await tx
        .insert(statusEntries)
        .values({ tenantId, listId, position: lastPosition++, credentialId: id, status: 'valid' })
  })
  return id
}

type List = typeof statusLists.$inferSelect

function listOf(tenantId: string, number: number, more: Partial<List> = {}): List {
  const ofKind = { kind: 'compact', series: '', caId: null, configurationId: null, format: null } as const
  const state = { size: 1_000, taken: 0, permutationKey: 'k', createdAt: at }
  return { id: newId(), tenantId, number, ...ofKind, ...state, ...more }
}

const set = (tenantId: string, ids: string[], status: Status, more: Partial<StatusToSet> = {}) =>
  db.tx((tx) => setStatuses(tx, tenantId, ids, { status, at, ...more }))
const changesOf = async (tenantId: string) =>
  (await db.read.select().from(statusChanges).where(eq(statusChanges.tenantId, tenantId))).map(({ listId }) => listId)
const statusOf = async (tenantId: string, id: string) => (await findStatus(db.read, tenantId, id))?.status
const nothing = { changed: [], unknown: [], notRevocable: [], final: [] }

test('credentials get a status and their lists a change each, without those that already have the status', async () => {
  const [tenantId, one, two, three] = [newId(), newId(), newId(), newId()]
  const toChange = [await issued(tenantId, one), await issued(tenantId, one), await signed(tenantId, two)]
  const already = await issued(tenantId, three, 'invalid')
  const result = await set(tenantId, [...toChange, already], 'invalid')
  expect(result).toEqual({ ...nothing, changed: expect.any(Array) })
  expect(result.changed.toSorted()).toEqual(toChange.toSorted())
  expect((await changesOf(tenantId)).toSorted()).toEqual([one, two].toSorted())
  for (const id of toChange) expect(await statusOf(tenantId, id)).toBe('invalid')
  const [record] = await db.read.select().from(credentials).where(eq(credentials.id, toChange[0]!))
  expect(record?.status).toBe('invalid')

  expect(await set(tenantId, [...toChange, already], 'invalid')).toEqual(nothing)
  expect(await changesOf(tenantId)).toHaveLength(2)
  expect(await set(tenantId, toChange.slice(0, 1), 'valid')).toEqual({ ...nothing, changed: toChange.slice(0, 1) })
})

test('credentials that cannot get a status are named: unknown, of another tenant or profile, and without an entry', async () => {
  const [tenantId, other, listId] = [newId(), newId(), newId()]
  const [none, plain, plainSigned] = [newId(), await issued(tenantId, null), await signed(tenantId, null)]
  const foreign = await issued(other, listId)
  const semantic = await signed(tenantId, listId)
  const compact = await issued(tenantId, listId)
  const ids = [none, plain, plainSigned, foreign, semantic, compact]
  expect(await set(tenantId, ids, 'invalid', { profile: 'compact' })).toEqual({
    ...{ changed: [compact], final: [] },
    ...{ unknown: [none, plainSigned, foreign, semantic], notRevocable: [plain] },
  })
  expect(await set(tenantId, ids, 'suspended')).toEqual({
    ...{ changed: expect.arrayContaining([compact, semantic]), final: [] },
    ...{ unknown: [none, foreign], notRevocable: [plain, plainSigned] },
  })
  expect(await statusOf(other, foreign)).toBe('valid')
  expect(await set(tenantId, [none], 'invalid')).toEqual({ ...nothing, unknown: [none] })
})

test('an invalid mobile credential stays invalid, and other credentials can become valid again', async () => {
  const [tenantId, listId] = [newId(), newId()]
  const mobile = { profile: 'mobile' as const }
  const ended = await issued(tenantId, listId, 'invalid', mobile)
  const suspended = await issued(tenantId, listId, 'suspended', mobile)
  const withoutEntry = await issued(tenantId, null, 'valid', mobile)
  const compact = await issued(tenantId, listId, 'invalid')
  const result = await set(tenantId, [ended, suspended, withoutEntry, compact], 'valid')
  expect(result).toEqual({ ...nothing, changed: expect.any(Array), notRevocable: [withoutEntry], final: [ended] })
  expect(result.changed.toSorted()).toEqual([suspended, compact].toSorted())
  expect(await statusOf(tenantId, ended)).toBe('invalid')
  expect(await set(tenantId, [ended], 'invalid')).toEqual(nothing)
})

test('a status is found with its index, for its tenant only, and not after the credential was cancelled', async () => {
  const [tenantId, plain] = [newId(), { format: null, listId: null, position: null, status: null }]
  const list = listOf(tenantId, 1, { format: 'draft14' })
  await db.tx((tx) => tx.insert(statusLists).values(list))
  const [entry, direct] = [await issued(tenantId, list.id, 'suspended'), await signed(tenantId, list.id)]
  const statusView = { profile: 'compact', status: 'suspended', format: 'draft14', listId: list.id }
  expect(await findStatus(db.read, tenantId, entry)).toEqual({ ...statusView, position: expect.any(Number) })
  expect(await findStatus(db.read, tenantId, direct)).toMatchObject({ profile: 'web-semantic', status: 'valid' })
  expect(await findStatus(db.read, tenantId, await issued(tenantId, null))).toEqual({ profile: 'compact', ...plain })
  for (const [tenant, id] of [
    [newId(), entry],
    [newId(), direct],
    [tenantId, newId()],
    [tenantId, await signed(tenantId, list.id, at)],
  ] as const)
    expect(await findStatus(db.read, tenant, id)).toBeUndefined()
})

test('indexes are allocated from the newest list of the series', async () => {
  const tenantId = newId()
  const lists = [listOf(tenantId, 1), listOf(tenantId, 3, { size: 10, taken: 4 }), listOf(tenantId, 2)]
  const others = [listOf(tenantId, 9, { series: 'did' }), listOf(tenantId, 9, { kind: 'mobile' }), listOf(newId(), 9)]
  await db.tx((tx) => tx.insert(statusLists).values([...lists, ...others]))
  const reserve = (count: number) => db.tx((tx) => reserveIndexes(tx, tenantId, { kind: 'compact', series: '' }, count))
  expect(await db.tx((tx) => reserveIndexes(tx, newId(), { kind: 'compact', series: '' }, 1))).toBeUndefined()
  expect(await reserve(3)).toMatchObject({ list: { id: lists[1]?.id }, from: 4, to: 7 })
  expect(await reserve(3)).toMatchObject({ from: 7, to: 10 })
  expect(await reserve(1)).toEqual({ full: 3 })
})

test('a list of a DID is opened while the DID exists, and a mobile list needs no DID', async () => {
  const [tenantId, did] = [newId(), 'did:key:z6Mk']
  const open = (more: Partial<List>) => {
    const list = listOf(tenantId, 1, more)
    const published = { listId: list.id, tenantId, version: 1, ...versionOf(Buffer.from('list'), at) }
    return db.tx((tx) => openList(tx, list, published))
  }
  await expect(open({ series: did })).rejects.toMatchObject({ problem: 'not_found' })
  expect(await open({ series: did, kind: 'mobile' })).toBe(true)
  expect(await hasListsOf(db.read, tenantId, did)).toBe(false)
  const row = { id: newId(), tenantId, method: 'key' as const, did, createdAt: at }
  await db.tx((tx) => tx.insert(dids).values(row))
  for (const kind of ['compact', 'compact-semantic', 'web-semantic'] as const) {
    expect(await open({ series: did, kind })).toBe(true)
    expect(await open({ series: did, kind })).toBe(false)
    expect(await hasListsOf(db.read, tenantId, did)).toBe(true)
    await db.tx((tx) => tx.delete(statusLists).where(eq(statusLists.kind, kind)))
  }
  expect(await hasListsOf(db.read, tenantId, did)).toBe(false)
  expect(await open({})).toBe(true)
  expect(await hasListsOf(db.read, newId(), '')).toBe(false)
})

test('an authority is in use while a credential with a status under it is valid', async () => {
  const [tenantId, caId, listId] = [newId(), newId(), newId()]
  await db.tx((tx) => tx.insert(statusLists).values({ ...listOf(tenantId, 1, { kind: 'mobile', caId }), id: listId }))
  const isUsed = (tenant = tenantId, ca = caId, when = at) => hasStatusUnder(db.read, tenant, ca, when)
  expect(await isUsed()).toBe(false)
  await issued(tenantId, listId, 'valid', { profile: 'mobile', validUntil: plusMs(at, 1_000) })
  expect(await isUsed()).toBe(true)
  expect(await isUsed(tenantId, caId, plusMs(at, 1_000))).toBe(false)
  expect(await isUsed(tenantId, newId())).toBe(false)
  expect(await isUsed(newId())).toBe(false)
})

test('after a restore no list allocates an index', async () => {
  const [open, full] = [listOf(newId(), 1, { taken: 999 }), listOf(newId(), 1, { taken: 1_000 })]
  await db.tx(async (tx) => {
    await tx.delete(statusLists)
    await tx.insert(statusLists).values([open, full])
  })
  expect(await db.tx(endAllLists)).toBe(1)
  expect(await db.tx(endAllLists)).toBe(0)
  expect((await db.read.select().from(statusLists)).map(({ taken }) => taken)).toEqual([1_000, 1_000])
})
