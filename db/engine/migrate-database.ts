import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import type { Log } from '../../shared/log/log.ts'
import { innermost } from '../../shared/process/dependency.ts'
import { dialect } from '../columns.ts'
import { failedMigration } from './failed-migration.ts'

/**
 * Migrates the database of `url` to the newest schema. On PostgreSQL several machines may run it at once. Throws `Misconfigured` for a
 * statement that fails, with its migration and file.
 */
export async function migrateDatabase(
  url: string,
  log?: Log,
  migrationsFolder = fileURLToPath(new URL(`../migrations/${dialect}`, import.meta.url)),
): Promise<void> {
  if (dialect === 'postgres') return migratePostgres(url, migrationsFolder, log)
  return migrateSqlite(url.slice('file:'.length), migrationsFolder)
}

/**
 * The wait for a lock on a table. Later queries queue behind a migration that waits, and a dump locks all tables for its
 * duration. So the migration gives up soon and retries.
 */
const lockWithinMs = 1_000
const maxPauseMs = 10_000
/** lock_not_available and deadlock_detected. */
const inUse = ['55P03', '40P01']

async function migratePostgres(url: string, migrationsFolder: string, log?: Log): Promise<void> {
  const { connectToPrimary } = await import('./postgres-hosts.ts')
  const { drizzle } = await import('drizzle-orm/node-postgres')
  const { migrate } = await import('drizzle-orm/node-postgres/migrator')
  const client = await connectToPrimary(url)
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('trustwright migrations'))")
    await client.query(`SET lock_timeout = ${lockWithinMs}`)
    for (let pauseMs = lockWithinMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      // All migrations run in one transaction.
      const failure = await migrate(drizzle(client), { migrationsFolder }).catch((error: unknown) => ({ error }))
      if (!failure) return
      const cause = innermost(failure.error)
      if (!(cause instanceof Error && 'code' in cause && inUse.includes(String(cause.code)))) {
        throw failedMigration(failure.error, migrationsFolder, await lastMigrationOf(client))
      }
      log?.warn({ reason: cause.message }, 'the migration waits for a table that is in use')
      await sleep(pauseMs)
    }
  } finally {
    await client.end()
  }
}

/** Returns the time of the newest migration that the database has, or 0 if it has none. */
async function lastMigrationOf(client: Client): Promise<number> {
  const table = await client.query("SELECT to_regclass('drizzle.__drizzle_migrations') AS name")
  if (table.rows[0]?.name === null) return 0
  const { rows } = await client.query('SELECT max(created_at) AS last FROM drizzle.__drizzle_migrations')
  return Number(rows[0]?.last ?? 0)
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
    // Overwrites the deleted content of a table that a migration rebuilds.
    database.pragma('secure_delete = ON')
    try {
      migrate(drizzle(database), { migrationsFolder })
    } catch (error) {
      const last = database.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck()
      throw failedMigration(error, migrationsFolder, Number(last.get() ?? 0))
    }
    assumeLargeTables(database)
  } finally {
    database.close()
  }
}
