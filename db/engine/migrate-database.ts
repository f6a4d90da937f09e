import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { innermost } from '../../shared/dependency.ts'
import type { Log } from '../../shared/log.ts'
import { dialect } from '../columns.ts'

/** Brings the database of `url` to the newest schema; safe to run from several machines at once on PostgreSQL. */
export async function migrateDatabase(url: string, log?: Log): Promise<void> {
  const migrationsFolder = fileURLToPath(new URL(`../migrations/${dialect}`, import.meta.url))
  if (dialect === 'postgres') return migratePostgres(url, migrationsFolder, log)
  return migrateSqlite(url.slice('file:'.length), migrationsFolder)
}

/**
 * For a table that is in use. All who come behind a migration that waits for one have to wait with it, and a dump uses all
 * tables for as long as it takes: the migration steps back soon, and comes again.
 */
const lockWithinMs = 1_000
const longestPauseMs = 10_000
/** lock_not_available and deadlock_detected. */
const inUse = ['55P03', '40P01']

async function migratePostgres(url: string, migrationsFolder: string, log?: Log): Promise<void> {
  const { Client } = await import('pg')
  const { drizzle } = await import('drizzle-orm/node-postgres')
  const { migrate } = await import('drizzle-orm/node-postgres/migrator')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('trustwright migrations'))")
    await client.query(`SET lock_timeout = ${lockWithinMs}`)
    for (let pauseMs = lockWithinMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      // All of it is one transaction.
      const failure = await migrate(drizzle(client), { migrationsFolder }).catch((error: unknown) => ({ error }))
      if (!failure) return
      const cause = innermost(failure.error)
      if (!(cause instanceof Error && 'code' in cause && inUse.includes(String(cause.code)))) throw failure.error
      log?.warn({ reason: cause.message }, 'the migration waits for a table that is in use')
      await sleep(pauseMs)
    }
  } finally {
    await client.end()
  }
}

async function migrateSqlite(path: string, migrationsFolder: string): Promise<void> {
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const { drizzle } = await import('drizzle-orm/better-sqlite3')
  const { migrate } = await import('drizzle-orm/better-sqlite3/migrator')
  const { makeSqliteFile } = await import('./sqlite-file.ts')
  const { assumeLargeTables } = await import('./sqlite-statistics.ts')
  makeSqliteFile(path)
  const database = new SqliteDatabase(path)
  try {
    database.pragma('journal_mode = WAL')
    // A table that is made anew leaves nothing behind of the one before.
    database.pragma('secure_delete = ON')
    migrate(drizzle(database), { migrationsFolder })
    assumeLargeTables(database)
  } finally {
    database.close()
  }
}
