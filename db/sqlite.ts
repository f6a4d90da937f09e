import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Database, Writer } from './database.ts'

const lockDeadlineMs = 10_000

/**
 * SQLite in WAL mode: one read-only connection, one for writes behind a queue, because Drizzle refuses async callbacks in
 * better-sqlite3's own transactions. `BEGIN IMMEDIATE` takes the write lock up front (deferred transactions fail when
 * they upgrade); another process's lock is waited for outside the driver, which would freeze the event loop.
 */
export function openSqlite(path: string): Database {
  mkdirSync(dirname(path), { recursive: true })
  const writes = open(path, { readonly: false })
  const reads = open(path, { readonly: true })
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) => writes.prepare(sql))
  // Both dialects are PostgreSQL to the type checker; see columns.ts.
  const writer = drizzle(writes) as unknown as Writer
  let last: Promise<unknown> = Promise.resolve()

  async function transact<Result>(work: (tx: Writer) => Promise<Result>): Promise<Result> {
    await retryWhileLocked(() => begin?.run())
    try {
      const result = await work(writer)
      await retryWhileLocked(() => commit?.run())
      return result
    } catch (error) {
      if (writes.inTransaction) rollback?.run()
      throw error
    }
  }

  return {
    read: drizzle(reads) as unknown as Writer,
    tx(work) {
      const result = last.then(() => transact(work))
      last = result.catch(() => undefined)
      return result
    },
    async ping() {
      reads.prepare('SELECT 1').get()
    },
    async close() {
      await last
      reads.close()
      writes.close()
    },
  }
}

function open(path: string, options: { readonly: boolean }): SqliteDatabase.Database {
  const database = new SqliteDatabase(path, { ...options, timeout: 0 })
  if (!options.readonly) database.pragma('journal_mode = WAL')
  // A committed offer, issuance or revocation survives a power cut.
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('cache_size = -65536')
  database.pragma('mmap_size = 268435456')
  return database
}

async function retryWhileLocked(run: () => void): Promise<void> {
  const deadline = Date.now() + lockDeadlineMs
  for (;;) {
    try {
      return run()
    } catch (error) {
      if (!isLocked(error) || Date.now() > deadline) throw error
      await sleep(1 + Math.random() * 2)
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
