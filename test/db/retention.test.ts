import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { purgeOrphanedClaims } from '../../db/retention/orphaned-claims.ts'
import {
  abandonIssuancesAt,
  agingTables,
  findDeferred,
  type Purge,
  purgeAged,
  purgeIssuances,
  refuseDeferredAt,
  wipeIssuances,
} from '../../db/retention/purge-aged.ts'
import {
  deleteTenantRow,
  ecosystemRemovals,
  holderApplicationRemoval,
  inboxRemoval,
  purgeEvidence,
  tenantRemovals,
  webhookRemoval,
} from '../../db/retention/removal.ts'
import { tableWeight } from '../../db/retention/table-rules.ts'
import { evidenceChunks, participantEvidence } from '../../db/tables/ecosystems/evidence.ts'
import { holderInstances } from '../../db/tables/issuance/holder-instances.ts'
import { type IssuanceState, issuances } from '../../db/tables/issuance/issuances.ts'
import { sessionClaims } from '../../db/tables/issuance/session-claims.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { spentProofs } from '../../db/tables/issuance/spent-proofs.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import { defaultSettings, tenants } from '../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { openNewDatabase } from '../harness/database.ts'

const at = new Date('2026-01-01T00:00:00.000Z')
const tenantId = 't'
const after = (seconds: number) => plusMs(at, seconds * 1000)

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
beforeEach(() =>
  db.tx(async (tx) => {
    for (const table of [issuances, spentProofs, participantEvidence, evidenceChunks, tenants]) await tx.delete(table)
  }),
)
afterAll(() => drop())

type Issuance = typeof issuances.$inferInsert

async function insert(rows: (Partial<Issuance> & { id: string; state: IssuanceState })[]): Promise<void> {
  const ids = { tenantId, sessionId: newId(), userId: newId(), configurationId: newId() }
  const content = { claims: { name: 'Ada' }, validity: { from: 'f' }, credentials: [], holderKeys: [], requestedAt: at }
  await db.tx((tx) => tx.insert(issuances).values(rows.map((row) => ({ ...ids, ...content, ...row }))))
}

const left = async () => await db.read.select().from(issuances).orderBy(asc(issuances.id))
const idsLeft = async () => (await left()).map(({ id }) => id)
const purge = (which: Purge, before: Date, most = 100) => db.tx((tx) => which(tx, before, most))

test('a purge by age removes the oldest expired rows up to the limit, and keeps a row that expires now', async () => {
  const rows = [3, 1, 2, 5].map((seconds) => ({ tenantId, hash: `p${seconds}`, expiresAt: after(seconds) }))
  await db.tx((tx) => tx.insert(spentProofs).values(rows))
  const aging = agingTables.find(({ table }) => table === spentProofs)!
  const hashes = async () => (await db.read.select().from(spentProofs)).map(({ hash }) => hash).sort()
  expect(await purge(purgeAged(aging), after(5), 2)).toBe(2)
  expect(await hashes()).toEqual(['p3', 'p5'])
  expect(await purge(purgeAged(aging), after(5), 2)).toBe(1)
  expect(await purge(purgeAged(aging), after(5), 2)).toBe(0)
  expect(await hashes()).toEqual(['p5'])
})

test('rows with further conditions are not purged by age alone', () => {
  const tables = agingTables.map(({ table }) => table)
  for (const special of [issuances, deliveries, events, participantEvidence]) expect(tables).not.toContain(special)
  expect(tables).toContain(spentProofs)
  expect(agingTables.every(({ by, afterMs }) => by !== undefined && afterMs >= 0)).toBe(true)
})

test('issued content is wiped from the oldest on, and only issued content', async () => {
  await insert([
    { id: 'a', state: 'issued', requestedAt: after(2) },
    { id: 'b', state: 'issued', requestedAt: after(1) },
    { id: 'c', state: 'issued', requestedAt: after(4) },
    { id: 'd', state: 'requested', requestedAt: after(1) },
  ])
  expect(await purge(wipeIssuances, after(3), 1)).toBe(1)
  expect((await left()).map(({ state }) => state)).toEqual(['issued', 'wiped', 'issued', 'requested'])
  expect(await purge(wipeIssuances, after(2))).toBe(1)
  expect(await purge(wipeIssuances, after(3))).toBe(0)
  expect((await left()).map(({ state }) => state)).toEqual(['wiped', 'wiped', 'issued', 'requested'])
  expect((await left()).map(({ credentials }) => credentials)).toEqual([null, null, [], []])
})

test('issuances without a credential are removed state by state, up to the limit', async () => {
  await insert([
    { id: 'abandoned', state: 'abandoned' },
    { id: 'issued', state: 'issued' },
    { id: 'refused 1', state: 'refused', requestedAt: after(1) },
    { id: 'refused 2', state: 'refused', requestedAt: after(1) },
    { id: 'requested', state: 'requested' },
    { id: 'wiped 1', state: 'wiped', requestedAt: after(1) },
    { id: 'wiped 2', state: 'wiped' },
    { id: 'wiped 3', state: 'wiped', requestedAt: after(2) },
  ])
  expect(await purge(purgeIssuances, after(1), 1)).toBe(1)
  expect(await idsLeft()).not.toContain('wiped 2')
  expect(await purge(purgeIssuances, after(1), 2)).toBe(2)
  expect(await idsLeft()).toEqual(['abandoned', 'issued', expect.stringMatching(/^refused/), 'requested', 'wiped 3'])
  expect(await purge(purgeIssuances, after(1))).toBe(2)
  expect(await purge(purgeIssuances, after(1))).toBe(0)
  expect(await idsLeft()).toEqual(['issued', 'requested', 'wiped 3'])
})

test('an issuance without an end is abandoned, a deferred one is refused, and both lose their claims', async () => {
  await insert([
    { id: 'deferred', state: 'requested', deferredAt: at },
    { id: 'issued', state: 'issued' },
    { id: 'late', state: 'requested', requestedAt: after(9) },
    { id: 'lost', state: 'requested' },
    { id: 'lost later', state: 'requested', requestedAt: after(1) },
  ])
  expect(await purge(abandonIssuancesAt(after(10)), after(1), 1)).toBe(1)
  expect(await purge(abandonIssuancesAt(after(10)), after(1))).toBe(1)
  expect(await purge(refuseDeferredAt(after(11)), after(1))).toBe(1)
  expect(await purge(refuseDeferredAt(after(11)), after(1))).toBe(0)
  const kept = { claims: { name: 'Ada' }, validity: { from: 'f' }, endedAt: null }
  const ended = { claims: null, validity: null }
  expect(await left()).toMatchObject([
    { id: 'deferred', state: 'refused', ...ended, endedAt: after(11) },
    { id: 'issued', state: 'issued', ...kept },
    { id: 'late', state: 'requested', ...kept },
    { id: 'lost', state: 'abandoned', ...ended, endedAt: after(10) },
    { id: 'lost later', state: 'abandoned', ...ended, endedAt: after(10) },
  ])
})

test('deferred issuances are found page by page in the order of their requests', async () => {
  await insert([
    ...['d', 'b', 'c', 'a'].map((id) => ({ id, state: 'requested' as const, deferredAt: at })),
    { id: 'e', state: 'requested', deferredAt: at, requestedAt: after(-1) },
    { id: 'later', state: 'requested', deferredAt: at, requestedAt: after(2) },
    { id: 'issued', state: 'issued', deferredAt: at },
    { id: 'plain', state: 'requested' },
  ])
  const first = await findDeferred(db.read, after(1), undefined, 3)
  expect(first).toEqual([
    { id: 'e', tenantId, at: after(-1) },
    { id: 'a', tenantId, at },
    { id: 'b', tenantId, at },
  ])
  const rest = await findDeferred(db.read, after(1), first.at(-1), 3)
  expect(rest.map(({ id }) => id)).toEqual(['c', 'd'])
  expect(await findDeferred(db.read, after(1), rest.at(-1), 3)).toEqual([])
})

const evidence = (id: string, expiresAt: Date | null) => ({
  ...{ id, tenantId, ecosystemId: 'e', participantId: 'p', state: 'whole' as const, filename: 'f' },
  ...{ fileDescription: '', sizeBytes: 1, uploadedBy: 'c', expiresAt, createdAt: at },
})
const chunks = (evidenceId: string, count: number) =>
  Array.from({ length: count }, (_, position) => ({
    ...{ tenantId, ecosystemId: 'e', evidenceId, position, content: Buffer.from('x') },
  }))

test('evidence is removed chunk by chunk, the oldest first, and its row last', async () => {
  await db.tx(async (tx) => {
    await tx
      .insert(participantEvidence)
      .values([evidence('new', at), evidence('old', after(-1)), evidence('kept', null)])
    await tx.insert(evidenceChunks).values([...chunks('old', 3), ...chunks('new', 1), ...chunks('kept', 1)])
  })
  const states = async () => {
    const rows = await db.read.select().from(participantEvidence).orderBy(asc(participantEvidence.id))
    return Object.fromEntries(rows.map(({ id, state }) => [id, state]))
  }
  const chunksOf = (id: string) => db.read.$count(evidenceChunks, eq(evidenceChunks.evidenceId, id))
  const weight = tableWeight(evidenceChunks)
  expect(weight).toBeGreaterThan(1)
  const step = (most: number) => db.tx((tx) => purgeEvidence(tx, after(1), most))
  expect(await step(weight)).toBe(weight)
  expect(await states()).toEqual({ kept: 'whole', new: 'whole', old: 'removed' })
  expect(await chunksOf('old')).toBe(2)
  // A part of a chunk's weight takes a whole chunk.
  expect(await step(1)).toBe(1)
  expect(await chunksOf('old')).toBe(1)
  expect(await step(2 * weight)).toBe(2 * weight)
  expect(await states()).toEqual({ kept: 'whole', new: 'whole' })
  while ((await step(weight)) > 0) expect(await chunksOf('kept')).toBe(1)
  expect(await states()).toEqual({ kept: 'whole' })
  expect([await chunksOf('new'), await chunksOf('kept')]).toEqual([0, 1])
  expect(await db.tx((tx) => purgeEvidence(tx, at, 1))).toBe(0)
})

test('dependents of purged rows are removed with them, of their tenant only', async () => {
  const session = (id: string, tenant: string, expiresAt: Date) => ({
    ...{ id, tenantId: tenant, userId: 'u', configurationIds: [], credentialIdentifiers: {}, tokenHash: id },
    ...{ expiresAt, createdAt: at },
  })
  const claim = (sessionId: string, tenant: string) => ({
    ...{ sessionId, tenantId: tenant, configurationId: 'c', issuanceId: newId() },
  })
  await db.tx(async (tx) => {
    const expired = [session('one', 't', at), session('two', 't', at), session('three', 'u', at)]
    await tx.insert(sessions).values([...expired, session('new', 't', after(9))])
    const own = [claim('one', 't'), claim('two', 't'), claim('three', 'u'), claim('new', 't')]
    await tx.insert(sessionClaims).values([...own, claim('one', 'u')])
  })
  expect(await purge(purgeAged(agingTables.find(({ table }) => table === sessions)!), after(1))).toBe(3)
  const left = await db.read.select().from(sessionClaims).orderBy(asc(sessionClaims.sessionId))
  expect(left.map(({ sessionId, tenantId }) => [sessionId, tenantId])).toEqual([
    ['new', 't'],
    ['one', 'u'],
  ])
})

test('claims without a session are removed in steps, and those of other sessions stay', async () => {
  const claim = (sessionId: string, configurationId: string, tenant = 't') => ({
    ...{ sessionId, tenantId: tenant, configurationId, issuanceId: newId() },
  })
  const session = { userId: 'u', configurationIds: [], credentialIdentifiers: {}, tokenHash: 'b', createdAt: at }
  await db.tx(async (tx) => {
    await tx.delete(sessionClaims)
    await tx.delete(sessions)
    await tx.insert(sessions).values({ ...session, id: 'b', tenantId: 't', expiresAt: after(9) })
    const gone = [claim('a', '1'), claim('a', '2'), claim('c', '1'), claim('b', '1', 'u'), claim('d', '1', 'u')]
    await tx.insert(sessionClaims).values([...gone, claim('b', '1'), claim('b', '2')])
  })
  const left = async () => {
    const rows = await db.read.select().from(sessionClaims).orderBy(asc(sessionClaims.tenantId))
    return rows.map((row) => `${row.tenantId} ${row.sessionId} ${row.configurationId}`).sort()
  }
  const step = () => purgeOrphanedClaims(db, at, 2)
  expect(await step()).toBe(1)
  expect(await left()).toEqual(['t b 1', 't b 2', 't c 1', 'u b 1', 'u d 1'])
  expect(await step()).toBe(0)
  expect(await step()).toBe(2)
  expect(await left()).toEqual(['t b 1', 't b 2', 'u d 1'])
  expect(await step()).toBe(1)
  expect(await left()).toEqual(['t b 1', 't b 2'])
  // It begins again: an earlier version may have left more.
  await db.tx((tx) => tx.insert(sessionClaims).values(claim('a', '1')))
  expect(await step()).toBe(1)
  await db.tx((tx) => tx.delete(sessionClaims))
  expect(await step()).toBe(0)
  expect(await step()).toBe(0)
})

test('the removal of an ecosystem or a holder application removes its rows', async () => {
  const instance = (id: string, applicationId: string, tenant = tenantId) => ({
    ...{ id, tenantId: tenant, applicationId, appAttestationType: 'none' as const, deviceDetails: {}, sdkDetails: {} },
    // Boundary: nothing here reads the key.
    ...{ publicJwk: {} as never, createdAt: at },
  })
  await db.tx(async (tx) => {
    await tx.insert(holderInstances).values([instance('a', 'own'), instance('b', 'other'), instance('c', 'own', 'u')])
    const rows = [evidence('own', null), { ...evidence('other', null), ecosystemId: 'f' }]
    await tx.insert(participantEvidence).values([...rows, { ...evidence('foreign', null), tenantId: 'u' }])
  })
  expect(await db.tx((tx) => holderApplicationRemoval(tenantId, 'own')(tx, 10))).toBe(1)
  expect((await db.read.select().from(holderInstances)).map(({ id }) => id).sort()).toEqual(['b', 'c'])
  for (const removal of ecosystemRemovals(tenantId, 'e')) await db.tx((tx) => removal(tx, 1_000))
  expect((await db.read.select().from(participantEvidence)).map(({ id }) => id).sort()).toEqual(['foreign', 'other'])
})

test('a tenant row is removed only while the tenant is being deleted', async () => {
  const row = (id: string, state: 'active' | 'deleting') => ({
    ...{ id, state, kind: 'tenant' as const, name: '', subdomain: id, canonicalHost: id, did: id },
    ...{ settings: defaultSettings, createdAt: at },
  })
  await db.tx(async (tx) => {
    await tx.insert(tenants).values([row('a', 'active'), row('b', 'deleting'), row('c', 'deleting')])
    for (const id of ['a', 'b']) await deleteTenantRow(tx, id)
  })
  expect((await db.read.select().from(tenants)).map(({ id }) => id).sort()).toEqual(['a', 'c'])
})

test('a removal takes a limited number of rows of one owner at a time', async () => {
  const delivery = (id: string, tenantId: string, webhookId: string) => ({
    ...{ id, tenantId, webhookId, eventId: id, kind: 'OpenIdCredentialIssued' as const, eventAt: at },
    ...{ state: 'delivered' as const, attempts: [], attemptsMade: 0, createdAt: at },
  })
  await db.tx(async (tx) => {
    const own = [1, 2, 3].map((number) => delivery(`own ${number}`, tenantId, 'w'))
    await tx.insert(deliveries).values([...own, delivery('other', tenantId, 'v'), delivery('foreign', 'u', 'w')])
  })
  const ids = async () => (await db.read.select().from(deliveries)).map(({ id }) => id).sort()
  const remove = () => db.tx((tx) => webhookRemoval(tenantId, 'w')(tx, 2))
  expect(await remove()).toBe(2)
  expect(await ids()).toHaveLength(3)
  expect(await remove()).toBe(1)
  expect(await ids()).toEqual(['foreign', 'other'])
  expect(await remove()).toBe(0)
  expect(await db.tx((tx) => inboxRemoval(tenantId, 'i')(tx, 2))).toBe(0)
  for (const removal of tenantRemovals(tenantId)) await db.tx((tx) => removal(tx, 100))
  expect(await ids()).toEqual(['foreign'])
})
