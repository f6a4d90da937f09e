import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Writer } from '../../db/client.ts'
import { callOf, PipelinedExchange } from '../../db/engine/postgres-query.ts'
import { param, prepared, preparedInsert } from '../../db/engine/prepared.ts'
import { isUniqueViolation } from '../../db/engine/unique-violation.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { countMessages } from './count-messages.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const newRow = (id: string) => ({ id, job: 'none', payload: {}, priority: 0, createdAt: at, takenUntil: at })
const insert = preparedInsert('test_insert_jobs', outbox)
const byId = prepared('test_job', (db) =>
  db
    .select({ id: outbox.id })
    .from(outbox)
    .where(eq(outbox.id, param('id'))),
)
const setting = prepared('test_setting', (db) =>
  db
    .select({ waits: sql<string>`current_setting('synchronous_commit')` })
    .from(outbox)
    .where(eq(outbox.id, param('id'))),
)

describe('messages to PostgreSQL', { tags: 'postgres' }, () => {
  let database: OpenDatabase
  let client: pg.Client
  let messages: Awaited<ReturnType<typeof countMessages>>
  beforeAll(async () => {
    database = await openNewDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    messages = await countMessages(database.url)
  })
  afterEach(() => client.query('DELETE FROM outbox'))
  afterAll(async () => {
    await messages.close()
    await client.end()
    await database.drop()
  })

  const stored = async () => (await client.query('SELECT id FROM outbox ORDER BY id')).rows.map(({ id }) => id)

  test('a transaction begins with its first statement, and an insert is sent with the next statement', async () => {
    const work = (id: string) =>
      messages.db.tx(async (tx) => {
        await insert(tx, [newRow(id)])
        const row = await byId(tx, { id })
        await insert(tx, [newRow(`${id} too`)])
        return row
      })
    await work('1')
    const before = messages.count()
    expect(await work('2')).toEqual([{ id: '2' }])
    expect(messages.count() - before).toBe(2)
    expect(await stored()).toEqual(['1', '1 too', '2', '2 too'])
  })

  test('txAtOnce commits in the message that begins the transaction', async () => {
    const work = (id: string) =>
      messages.db.txAtOnce(async (tx) => {
        await insert(tx, [newRow(id)])
        return Promise.all([byId(tx, { id }), byId(tx, { id: 'none' })])
      })
    await work('1')
    const before = messages.count()
    expect(await work('2')).toEqual([[{ id: '2' }], []])
    expect(messages.count() - before).toBe(1)
    await messages.db.txAtOnce((tx) => insert(tx, [newRow('3')]))
    expect(messages.count() - before).toBe(2)
    expect(await stored()).toEqual(['1', '2', '3'])
  })

  test('a failure in txAtOnce leaves nothing, and its connection is used again', async () => {
    const { db } = database
    await db.txAtOnce((tx) => insert(tx, [newRow('there')]))
    const failed = db.txAtOnce(async (tx) => {
      await insert(tx, [newRow('new'), newRow('there')])
      return byId(tx, { id: 'new' })
    })
    expect(isUniqueViolation(await failed.catch((error: unknown) => error))).toBe(true)
    expect(await stored()).toEqual(['there'])
    await db.tx((tx) => insert(tx, [newRow('next')]))
    expect(await stored()).toEqual(['next', 'there'])
  })

  test('a statement after the end of txAtOnce is refused and undoes nothing', async () => {
    const late = database.db.txAtOnce(async (tx) => {
      await insert(tx, [newRow('at once')])
      await byId(tx, { id: 'at once' })
      await insert(tx, [newRow('later')])
    })
    await expect(late).rejects.toThrow('the transaction is over')
    expect(await stored()).toEqual(['at once'])
  })

  test('txAtOnce runs again if the connection is lost, also after its commit', async () => {
    let runs = 0
    messages.loseNextAnswer()
    const again = messages.db.txAtOnce((tx) => {
      runs++
      return insert(tx, [newRow('committed')])
    })
    expect(isUniqueViolation(await again.catch((error: unknown) => error))).toBe(true)
    expect(runs).toBe(2)
    expect(await stored()).toEqual(['committed'])
  })

  test('a transaction that a power failure may lose does not wait for the disk, and the next one on its connection does', async () => {
    await client.query(`ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET synchronous_commit = local`)
    const db = openDatabase(database.url, { survives: 'crash' })
    const work = (id: string) => async (tx: Writer) => {
      await insert(tx, [newRow(id)])
      return setting(tx, { id })
    }
    expect(await db.txAtOnce(work('1'), { mayLoseOnPowerFailure: true })).toEqual([{ waits: 'off' }])
    expect(await db.txAtOnce(work('2'))).toEqual([{ waits: 'local' }])
    await db.close()
  })

  test('a transaction without statements sends nothing', async () => {
    const before = messages.count()
    expect(await messages.db.tx(async () => 'done')).toBe('done')
    expect(messages.count()).toBe(before)
  })

  test('an insert that fails at the commit fails the transaction, which leaves nothing', async () => {
    const { db } = database
    await db.tx((tx) => insert(tx, [newRow('there')]))
    for (const first of ['insert', 'ask'] as const) {
      const failed = db.tx(async (tx) => {
        if (first === 'ask') await byId(tx, { id: 'there' })
        await insert(tx, [newRow('new')])
        await insert(tx, [newRow('there')])
      })
      expect(isUniqueViolation(await failed.catch((error: unknown) => error))).toBe(true)
    }
    expect(await stored()).toEqual(['there'])
    await db.tx((tx) => insert(tx, [newRow('next')]))
    expect(await stored()).toEqual(['next', 'there'])
  })

  test('a transaction that throws discards its waiting statements', async () => {
    const { db } = database
    const failed = db.tx(async (tx) => {
      await insert(tx, [newRow('never')])
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await db.tx(async (tx) => void (await byId(tx, { id: 'never' })))
    expect(await stored()).toEqual([])
  })

  test('concurrent queries of one transaction each get their own answer', async () => {
    const rows = await database.db.tx(async (tx) => {
      await insert(tx, [newRow('a'), newRow('b')])
      return Promise.all([byId(tx, { id: 'a' }), byId(tx, { id: 'none' }), tx.$count(outbox), byId(tx, { id: 'b' })])
    })
    expect(rows).toEqual([[{ id: 'a' }], [], 2, [{ id: 'b' }]])
  })

  test('queries of the same tick are one message', async () => {
    const ask = () => messages.db.tx((tx) => Promise.all(['a', 'b', 'c'].map((id) => byId(tx, { id }))))
    await ask()
    const before = messages.count()
    expect(await ask()).toEqual([[], [], []])
    expect(messages.count() - before).toBe(2)
  })

  test('a failed message rejects all of its queries', async () => {
    await database.db.tx((tx) => insert(tx, [newRow('there')]))
    const results: PromiseSettledResult<unknown>[] = []
    const failed = database.db.tx(async (tx) => {
      const asked = [byId(tx, { id: 'there' }), insert(tx, [newRow('there')]), byId(tx, { id: 'there' })]
      results.push(...(await Promise.allSettled(asked)))
    })
    await expect(failed).rejects.toThrow(/a statement failed/)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
    await database.db.tx((tx) => insert(tx, [newRow('next')]))
    expect(await stored()).toEqual(['next', 'there'])
  })

  test('a query after the end of its transaction is refused', async () => {
    let kept: Writer | undefined
    await database.db.tx(async (tx) => {
      kept = tx
      await byId(tx, { id: 'a' })
    })
    await expect(byId(kept as Writer, { id: 'a' })).rejects.toThrow('the transaction is over')
  })

  test('no statement runs after a failed one in a message, also if the message is sent again', async () => {
    const calls = () => [
      callOf('SELECT 1 / 0'),
      callOf("INSERT INTO outbox VALUES ('x', 'none', '{}', 0, now(), now())"),
    ]
    for (let turn = 0; turn < 3; turn++) {
      // Boundary: a client outside of a pool has all members that are used.
      const exchange = new PipelinedExchange(client as unknown as pg.PoolClient, calls())
      const failure = await exchange.send().catch((error: unknown) => error)
      expect(failure).toMatchObject({ message: 'SELECT 1 / 0 failed', cause: { code: '22012' } })
      expect(exchange.done).toEqual([])
    }
    expect(await stored()).toEqual([])
  })
})
