import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase, type Writer } from '../../db/client.ts'
import { param, prepared, preparedInsert } from '../../db/engine/prepared.ts'
import { isUniqueViolation } from '../../db/engine/unique-violation.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { createDeadline } from '../../shared/deadline.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { countMessages, type Messages } from './count-messages.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const insert = preparedInsert('test_turn_insert_jobs', outbox)
const byId = prepared('test_turn_job', (db) =>
  db
    .select({ id: outbox.id, waits: sql<string>`current_setting('synchronous_commit')` })
    .from(outbox)
    .where(eq(outbox.id, param('id'))),
)
const divide = prepared('test_turn_division', (db) =>
  db.select({ quotient: sql<number>`1 / ${param('by')}::int` }).from(outbox),
)

describe('calls of one tick of the event loop', { tags: 'postgres' }, () => {
  let database: OpenDatabase
  let messages: Messages
  let db: Database
  beforeAll(async () => {
    database = await openNewDatabase()
    messages = await countMessages(database.url)
    db = messages.db
    // Each connection has prepared the statements.
    await Promise.all([add('warm'), byId(db.read, { id: 'warm' })])
  })
  afterEach(() => database.db.tx((tx) => tx.delete(outbox)))
  afterAll(async () => {
    await messages.close()
    await database.drop()
  })

  const insertJob = (tx: Writer, id: string) =>
    insert(tx, [{ id, job: 'none', payload: {}, priority: 0, createdAt: at, takenUntil: at }])
  const add = (id: string, on: Pick<Database, 'txAtOnce'> = db, mayLoseOnPowerFailure = false) =>
    on.txAtOnce(
      async (tx) => {
        await insertJob(tx, id)
        return byId(tx, { id })
      },
      { mayLoseOnPowerFailure },
    )
  const stored = async () => (await database.db.read.select({ id: outbox.id }).from(outbox)).map(({ id }) => id).sort()
  const settled = async (...work: Promise<unknown>[]) => (await Promise.allSettled(work)).map(({ status }) => status)

  test('reads are one message, and each gets its own rows', async () => {
    await add('a')
    const before = messages.count()
    const rows = await Promise.all(['a', 'none', 'a'].map((id) => byId(db.read, { id })))
    expect(rows.map((each) => each.map(({ id }) => id))).toEqual([['a'], [], ['a']])
    expect(messages.count() - before).toBe(1)
  })

  test('a read that fails does not fail the others', async () => {
    await add('a')
    const failed = divide(db.read, { by: 0 }).catch((error: unknown) => error)
    const others = Promise.all([byId(db.read, { id: 'a' }), divide(db.read, { by: 1 })])
    expect(await others).toMatchObject([[{ id: 'a' }], [{ quotient: 1 }]])
    expect(await failed).toMatchObject({ cause: { code: '22012' } })
  })

  test('transactions are one message, and each gets its own rows', async () => {
    const before = messages.count()
    const ids = ['a', 'b', 'c']
    expect(await Promise.all(ids.map((id) => add(id)))).toMatchObject(ids.map((id) => [{ id }]))
    expect(messages.count() - before).toBe(1)
    expect(await stored()).toEqual(ids)
  })

  test('forty transactions are all stored', async () => {
    const ids = Array.from({ length: 40 }, (_, each) => String(each))
    await Promise.all(ids.map((id) => add(id)))
    expect(await stored()).toEqual(ids.sort())
  })

  test('a transaction that fails leaves nothing, and the others are stored', async () => {
    await add('there')
    const failed = db.txAtOnce(async (tx) => {
      await insertJob(tx, 'never')
      await insertJob(tx, 'there')
    })
    expect(await settled(add('a'), failed, add('b'))).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(isUniqueViolation(await failed.catch((error: unknown) => error))).toBe(true)
    expect(await stored()).toEqual(['a', 'b', 'there'])
  })

  test('of two transactions that insert the same row one is stored', async () => {
    expect((await settled(add('a'), add('a'))).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await stored()).toEqual(['a'])
  })

  test('an error of the work itself reaches only its caller', async () => {
    const failed = db.txAtOnce(async () => {
      throw new Error('own')
    })
    expect(await settled(failed, add('a'))).toEqual(['rejected', 'fulfilled'])
    await expect(failed).rejects.toThrow('own')
    expect(await stored()).toEqual(['a'])
  })

  test('a transaction after its deadline is left out', async () => {
    const late = createDeadline(0)
    const inTime = createDeadline(60_000)
    const work = [add('late', db.until(late)), add('a', db.until(inTime)), add('b')]
    expect(await settled(...work)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(await stored()).toEqual(['a', 'b'])
    inTime.end()
  })

  test('all wait for the disk if one does', async () => {
    await database.db.tx((tx) => tx.delete(outbox))
    const own = openDatabase(withLocalCommit(database.url), { survives: 'crash' })
    const waitsOf = async (work: ReturnType<typeof add>[]) => (await Promise.all(work)).map(([row]) => row?.waits)
    expect(await waitsOf([add('a', own, true), add('b', own, true)])).toEqual(['off', 'off'])
    expect(await waitsOf([add('c', own, true), add('d', own)])).toEqual(['local', 'local'])
    await own.close()
  })

  test('a lost connection runs the transactions again', async () => {
    let runs = 0
    messages.loseNextAnswer()
    const count = () =>
      db.txAtOnce(async (tx) => {
        runs++
        return byId(tx, { id: 'none' })
      })
    expect(await Promise.all([count(), count()])).toEqual([[], []])
    expect(runs).toBe(4)
  })
})

function withLocalCommit(url: string): string {
  const own = new URL(url)
  own.searchParams.set('options', '-c synchronous_commit=local')
  return own.href
}
