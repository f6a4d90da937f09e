import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createGroupCommit } from '../../db/engine/group-commit.ts'

let dir: string
let other: SqliteDatabase.Database
let own: SqliteDatabase.Database
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trustwright-group-'))
  other = new SqliteDatabase(join(dir, 'database'))
  other.pragma('journal_mode = WAL')
  own = new SqliteDatabase(join(dir, 'database'), { timeout: 0 })
})
afterEach(() => {
  own.close()
  other.close()
  rmSync(dir, { recursive: true })
})

/** Lets time pass only by the returned function. */
function controlTime() {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms: number) => void vi.advanceTimersByTime(ms)
}

test('each transaction waits for the lock of another process until its own deadline', async () => {
  const passes = controlTime()
  const group = createGroupCommit(own, { maxItems: 64, maxWaiting: 100, deadlineMs: 300 })
  other.exec('BEGIN IMMEDIATE')
  let failed = 0
  const failures = Array.from({ length: 10 }, () =>
    group
      .run(async () => expect.unreachable())
      .catch((error: unknown) => {
        // The lock is free after the first failure. The others are late too.
        if (++failed === 1) other.exec('COMMIT')
        return error
      }),
  )
  passes(299)
  await sleep(20)
  expect(failed).toBe(0)
  // All of them reach the deadline at the same time.
  passes(2)
  for (const failure of await Promise.all(failures)) expect(failure).toMatchObject({ code: 'SQLITE_BUSY' })
  expect(await group.run(async () => 'committed')).toBe('committed')
})

function openWithoutWal(): SqliteDatabase.Database {
  const connection = new SqliteDatabase(join(dir, 'without-wal'), { timeout: 0 })
  onTestFinished(() => void connection.close())
  return connection
}

test('a commit waits for a reader until its deadline, and then leaves nothing', async () => {
  const passes = controlTime()
  // Without WAL, a reader prevents a commit.
  const [reader, writer] = [openWithoutWal(), openWithoutWal()]
  reader.exec('CREATE TABLE numbers (number INTEGER); BEGIN; SELECT * FROM numbers')
  const group = createGroupCommit(writer, { maxItems: 64, maxWaiting: 100, deadlineMs: 300 })
  const failed = group.run(async () => {
    writer.exec('INSERT INTO numbers VALUES (1)')
    // The commit begins before this timer.
    setTimeout(() => passes(301), 20)
  })
  await expect(failed).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
  reader.exec('COMMIT')
  expect(await group.run(async () => writer.prepare('SELECT number FROM numbers').all())).toEqual([])
})

test('a transaction that arrived later waits longer for the lock', async () => {
  const passes = controlTime()
  const group = createGroupCommit(own, { maxItems: 64, maxWaiting: 100, deadlineMs: 400 })
  other.exec('BEGIN IMMEDIATE')
  const first = group.run(async () => expect.unreachable()).catch((error: unknown) => error)
  passes(200)
  const second = group.run(async () => 'committed')
  passes(201)
  expect(await first).toMatchObject({ code: 'SQLITE_BUSY' })
  other.exec('COMMIT')
  expect(await second).toBe('committed')
})

test('a transaction is refused if too many transactions wait', async () => {
  const group = createGroupCommit(own, { maxItems: 2, maxWaiting: 3, deadlineMs: 60_000 })
  const accepted = [1, 2, 3].map((each) => group.run(async () => each))
  await expect(group.run(async () => expect.unreachable())).rejects.toMatchObject({ status: 503 })
  expect(await Promise.all(accepted)).toEqual([1, 2, 3])
  expect(await group.run(async () => 4)).toBe(4)
})

const losable = { mayLoseOnPowerFailure: true }
const [flushed, notFlushed] = [2, 1]

/** A group whose commits wait for the disk, and work that returns whether its own commit does. */
function groupThatFlushes() {
  own.pragma('synchronous = FULL')
  return { group: createGroupCommit(own), flush: async () => own.pragma('synchronous', { simple: true }) }
}

test('transactions that may be lost on power failure do not wait for the disk, unless they share the commit of another one', async () => {
  const { group, flush } = groupThatFlushes()
  expect(await group.run(flush)).toBe(flushed)
  expect(await Promise.all([group.run(flush, losable), group.run(flush, losable)])).toEqual([notFlushed, notFlushed])
  expect(await Promise.all([group.run(flush, losable), group.run(flush)])).toEqual([flushed, flushed])
  // The second transaction arrives when the first group has begun.
  let second: Promise<unknown> = Promise.resolve()
  const first = group.run(async () => {
    second = group.run(flush)
    return flush()
  }, losable)
  expect([await first, await second]).toEqual([notFlushed, flushed])
})

test('a transaction that arrives while others wait for the lock waits for the disk, and the others do not', async () => {
  const { group, flush } = groupThatFlushes()
  other.exec('BEGIN IMMEDIATE')
  const first = group.run(flush, losable)
  // A group tries to begin in the tick after its first transaction.
  for (let tick = 0; tick < 3; tick++) await setImmediate()
  const later = [group.run(flush, losable), group.run(flush)]
  other.exec('COMMIT')
  expect(await Promise.all([first, ...later])).toEqual([notFlushed, notFlushed, flushed])
})

test('a connection that never waits for the disk stays so', async () => {
  own.pragma('synchronous = OFF')
  const group = createGroupCommit(own)
  const flush = async () => own.pragma('synchronous', { simple: true })
  expect(await group.run(flush)).toBe(0)
  expect(await group.run(flush, losable)).toBe(0)
})
