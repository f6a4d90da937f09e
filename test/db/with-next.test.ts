import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database, Writer } from '../../db/client.ts'
import { preparedInsert } from '../../db/engine/prepared.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { hourMs } from '../../shared/clock.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const insert = preparedInsert('test_next_insert_jobs', outbox)

let database: OpenDatabase
let db: Database
beforeAll(async () => {
  database = await openNewDatabase()
  db = database.db
})
beforeEach(() => db.tx((tx) => tx.delete(outbox)))
afterAll(() => database.drop())

const add = (tx: Writer, id: string) =>
  insert(tx, [{ id, job: 'none', payload: {}, priority: 0, createdAt: at, takenUntil: at }])
const stored = async () => (await db.read.select({ id: outbox.id }).from(outbox)).map(({ id }) => id).sort()
const settled = async (...work: Promise<unknown>[]) => (await Promise.allSettled(work)).map(({ status }) => status)

test.for(['tx', 'txAtOnce'] as const)(
  'a transaction that can wait begins with the next %s of the process',
  async (name) => {
    const waiting = ['a', 'b'].map((id) => db.txWithNext((tx) => add(tx, id), { withinMs: hourMs }))
    await setImmediate()
    expect(await stored()).toEqual([])
    await Promise.all([...waiting, db[name]((tx) => add(tx, 'next'))])
    expect(await stored()).toEqual(['a', 'b', 'next'])
  },
)

test('a transaction before its time does not take it along', async () => {
  const waiting = db.txWithNext((tx) => add(tx, 'a'), { afterMs: hourMs, withinMs: 50 })
  await db.txAtOnce((tx) => add(tx, 'early'))
  expect(await stored()).toEqual(['early'])
  await waiting
  expect(await stored()).toEqual(['a', 'early'])
})

test('it begins after its time if there is no other transaction, and once', async () => {
  await db.txWithNext((tx) => add(tx, 'a'), { withinMs: 1 })
  expect(await stored()).toEqual(['a'])
  await db.tx((tx) => tx.delete(outbox))
  expect(await stored()).toEqual([])
})

test('a failure of one of both does not affect the other', async () => {
  const fails = async () => {
    throw new Error('refused')
  }
  const passing = db.txWithNext((tx) => add(tx, 'a'), { withinMs: hourMs })
  expect(await settled(passing, db.txAtOnce(fails))).toEqual(['fulfilled', 'rejected'])
  const failing = db.txWithNext(fails, { withinMs: hourMs })
  expect(
    await settled(
      failing,
      db.txAtOnce((tx) => add(tx, 'b')),
    ),
  ).toEqual(['rejected', 'fulfilled'])
  expect(await stored()).toEqual(['a', 'b'])
})

test('both share a commit', { tags: 'postgres' }, async () => {
  const waiting = db.txWithNext((tx) => add(tx, 'a'), { withinMs: hourMs })
  await Promise.all([waiting, db.txAtOnce((tx) => add(tx, 'next'))])
  const rows = await db.read.select({ transaction: sql<string>`xmin::text` }).from(outbox)
  expect([rows.length, new Set(rows.map(({ transaction }) => transaction)).size]).toEqual([2, 1])
})
