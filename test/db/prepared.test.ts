import { and, asc, count, eq, isNotNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Reader } from '../../db/client.ts'
import { param, paramOf, prepared, preparedInsert } from '../../db/engine/prepared.ts'
import type { KeyRow } from '../../db/repos/identifiers/keys.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { openNewDatabase } from '../harness/database.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const x = Buffer.alloc(32).toString('base64url')

const keyOf = (id: string, change: Partial<KeyRow> = {}): KeyRow => ({
  ...{ id, tenantId: 't', purpose: 'did', algorithm: 'Ed25519', createdAt: at, retiredAt: null, publishedUntil: null },
  ...{ ownerKind: 'tenant', ownerId: '' },
  ...{
    publicJwk: { kty: 'OKP', crv: 'Ed25519', x },
    wrappedPrivateKey: Buffer.from([0, 255]),
    ...{ wrappedUnder: null, provider: 'software', handle: null },
    ...change,
  },
})
const rows = [keyOf('k1', { publishedUntil: at }), keyOf('k2', { retiredAt: new Date(0) }), keyOf('k3')]
const hook = { id: 'k2', tenantId: 't', events: [], url: 'https://a.example', disabled: true, createdAt: at }

const insertKeys = preparedInsert('test_keys', keys, 'doNothing')

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
  await db.tx(async (tx) => {
    await insertKeys(tx, rows)
    await tx.insert(webhooks).values(hook)
  })
})
afterAll(() => drop())

const whole = (db: Reader) => db.select().from(keys).orderBy(asc(keys.id))
const joined = (db: Reader) =>
  db
    .select({
      key: keys,
      hook: { url: webhooks.url, disabled: webhooks.disabled },
      events: webhooks.events,
      length: sql<number>`length(${keys.id})`.mapWith(Number),
    })
    .from(keys)
    .leftJoin(webhooks, eq(webhooks.id, keys.id))
    .orderBy(asc(keys.id))
const counted = (db: Reader) => db.select({ all: count() }).from(keys).where(isNotNull(keys.retiredAt))

test('a prepared query returns the rows that Drizzle returns', async () => {
  expect(await prepared('test_whole', whole)(db.read, {})).toEqual(rows)
  for (const [name, build] of Object.entries({ whole, joined, counted })) {
    const rows = await prepared<unknown>(`test_same_${name}`, build)(db.read, {})
    expect(rows).toEqual(await build(db.read))
    expect(rows).not.toEqual([])
  }
})

test('a joined table without a row gives null, not an object of nulls', async () => {
  const rows = await prepared('test_joined', joined)(db.read, {})
  expect(rows.map(({ hook, events }) => ({ hook, events }))).toEqual([
    { hook: null, events: null },
    { hook: { url: hook.url, disabled: true }, events: [] },
    { hook: null, events: null },
  ])
})

test('parameters are encoded like their columns, including nulls', async () => {
  const change = prepared('test_change', (tx) =>
    tx
      .update(keys)
      .set({
        publicJwk: paramOf(keys.publicJwk, 'publicJwk'),
        wrappedPrivateKey: paramOf(keys.wrappedPrivateKey, 'wrappedPrivateKey'),
        retiredAt: paramOf(keys.retiredAt, 'retiredAt'),
        publishedUntil: paramOf(keys.publishedUntil, 'publishedUntil'),
      })
      .where(and(eq(keys.tenantId, param('tenantId')), eq(keys.id, param('id')), eq(keys.purpose, 'did')))
      .returning(),
  )
  const key = keyOf('k3', {
    ...{ publicJwk: { kty: 'OKP', crv: 'Ed25519', x: 'ünïcode' }, wrappedPrivateKey: Buffer.from([7]) },
    ...{ retiredAt: at, publishedUntil: null },
  })
  const values = { ...key, tenantId: 't', id: 'k3' }
  expect(await db.tx((tx) => change(tx, values))).toEqual([key])
  expect(await db.tx((tx) => change(tx, { ...values, tenantId: 'another' }))).toEqual([])
})

test('any number of rows is inserted, and existing rows do not change', async () => {
  const many = Array.from({ length: 43 }, (_, position) => keyOf(`m${position}`, { tenantId: 'many' }))
  await db.tx((tx) => insertKeys(tx, many))
  await db.tx((tx) => insertKeys(tx, [keyOf('m7', { tenantId: 'other' })]))
  const rows = await db.read.select().from(keys).where(eq(keys.tenantId, 'many'))
  expect(rows).toHaveLength(many.length)
  expect(rows).toEqual(expect.arrayContaining(many))
})

test('rows that are inserted together keep their nulls and special texts', async () => {
  const texts = ['NULL', '', '{}', ',', '"', '\\', '\\"', '\\x00', 'a\nb', 'ü', ' ']
  const odd = texts.map((text, position) =>
    keyOf(`o${position}`, { tenantId: 'odd', wrappedUnder: text, publicJwk: { kty: 'OKP', crv: 'Ed25519', x: text } }),
  )
  const all = [...odd, keyOf('o99', { tenantId: 'odd', retiredAt: at })]
  await db.tx((tx) => insertKeys(tx, all))
  const rows = await db.read.select().from(keys).where(eq(keys.tenantId, 'odd'))
  expect(rows).toHaveLength(all.length)
  expect(rows).toEqual(expect.arrayContaining(all))
})

test('a query without all of its parameters is refused', async () => {
  const byId = prepared('test_by_id', (db) =>
    db
      .select()
      .from(keys)
      .where(eq(keys.id, param('id'))),
  )
  await expect(byId(db.read, {})).rejects.toThrow(/id/)
  expect(await byId(db.read, { id: 'k1' })).toEqual([rows[0]])
})
