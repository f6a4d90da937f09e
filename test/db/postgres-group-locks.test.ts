import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../db/client.ts'
import { groupLockTimeoutMs } from '../../db/engine/postgres-transaction.ts'
import { param, prepared, preparedInsert } from '../../db/engine/prepared.ts'
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { createDeadline } from '../../shared/deadline.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const insert = preparedInsert('test_lock_insert_jobs', outbox)
const newRow = (id: string) => ({ id, job: 'none', payload: {}, priority: 0, createdAt: at, takenUntil: at })
const byId = prepared('test_lock_job', (db) =>
  db
    .select({ id: outbox.id, lockTimeout: sql<string>`current_setting('lock_timeout')` })
    .from(outbox)
    .where(eq(outbox.id, param('id'))),
)
const update = prepared('test_lock_update_job', (db) =>
  db
    .update(outbox)
    .set({ priority: 1 })
    .where(eq(outbox.id, param('id')))
    .returning({ id: outbox.id }),
)

const isTooLate = { reason: expect.stringContaining('before its deadline') }

describe('a lock that a call of a group waits for', { tags: 'postgres' }, () => {
  let database: OpenDatabase
  let db: Database
  /** Keeps the lock of the row `locked` during a test. */
  let locker: pg.Client
  beforeAll(async () => {
    database = await openNewDatabase()
    db = database.db
    locker = new pg.Client({ connectionString: database.url })
    await locker.connect()
  })
  beforeEach(async () => {
    await db.tx((tx) => tx.insert(outbox).values(newRow('locked')))
    await locker.query("BEGIN; SELECT id FROM outbox WHERE id = 'locked' FOR UPDATE")
  })
  afterEach(async () => {
    vi.useRealTimers()
    await release()
    await db.tx((tx) => tx.delete(outbox))
  })
  afterAll(async () => {
    await locker.end()
    await database.drop()
  })

  const release = () => locker.query('COMMIT')
  const add = (id: string, on: Pick<Database, 'txAtOnce'> = db) =>
    on.txAtOnce(async (tx) => {
      await insert(tx, [newRow(id)])
      return byId(tx, { id })
    })
  const updateLocked = (on: Pick<Database, 'txAtOnce'> = db) => on.txAtOnce((tx) => update(tx, { id: 'locked' }))
  const stored = async () => (await db.read.select({ id: outbox.id }).from(outbox)).map(({ id }) => id).sort()

  test.each(['first', 'last'])(
    'the call of another tenant is answered while the lock is kept (the waiting call is %s)',
    async (position) => {
      const [waiting, other] =
        position === 'first' ? [updateLocked(), add('other')] : [add('other'), updateLocked()].reverse()
      expect(await other).toMatchObject([{ id: 'other' }])
      expect(await stored()).toEqual(['locked', 'other'])
      await release()
      expect(await waiting).toEqual([{ id: 'locked' }])
    },
  )

  test('a call that is alone has no lock timeout', async () => {
    expect(await add('alone')).toEqual([{ id: 'alone', lockTimeout: '0' }])
    const waiting = updateLocked()
    await expect.poll(waitsForLock).toBe(true)
    await release()
    expect(await waiting).toEqual([{ id: 'locked' }])
  })

  test('a lock timeout of the server rejects only the call that waits', async () => {
    const own = openDatabase(withLockTimeout(database.url), { survives: 'crash' })
    const [waiting, other] = await Promise.allSettled([updateLocked(own), add('other', own)])
    expect(other).toMatchObject({ status: 'fulfilled' })
    expect(waiting).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
    await own.close()
  })

  test('a call whose deadline passes while its group waits is not committed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const deadline = createDeadline(60_000)
    let runs = 0
    const late = db.until(deadline).txAtOnce(async (tx) => {
      runs++
      const added = insert(tx, [newRow('late')])
      const row = byId(tx, { id: 'late' })
      vi.advanceTimersByTime(60_001)
      await added
      return row
    })
    const waiting = updateLocked()
    await expect(late).rejects.toMatchObject(isTooLate)
    await release()
    await waiting
    expect(runs).toBe(1)
    expect(await stored()).toEqual(['locked'])
    deadline.end()
  })

  test('a call that a wait for a lock would make late is left out of its group', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const deadline = createDeadline(1_000)
    vi.advanceTimersByTime(1_000 - groupLockTimeoutMs + 1)
    const [late, other] = await Promise.allSettled([add('late', db.until(deadline)), add('other')])
    expect(late).toMatchObject({ reason: isTooLate })
    expect(other).toMatchObject({ status: 'fulfilled' })
    expect(await stored()).toEqual(['locked', 'other'])
    deadline.end()
  })

  async function waitsForLock(): Promise<boolean> {
    const { rows } = await locker.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    return rows.length > 0
  }
})

function withLockTimeout(url: string): string {
  const own = new URL(url)
  own.searchParams.set('options', '-c lock_timeout=100')
  return own.href
}
