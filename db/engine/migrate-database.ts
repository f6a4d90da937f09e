import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '../../shared/log/log.ts'
import { addressOf, innermost } from '../../shared/process/dependency.ts'
import { dialect } from '../columns.ts'
import { failedMigration } from './failed-migration.ts'
import { foldersFor, migrationsFolder } from './migration-folders.ts'

/**
 * Migrates the database of `url` to the newest schema, `newest` is the folder of its migrations. On PostgreSQL several machines may run it at once. Throws `Misconfigured` for a
 * statement that fails, with its migration and file.
 */
export async function migrateDatabase(url: string, log?: Log, newest = migrationsFolder): Promise<void> {
  if (dialect === 'postgres') return migratePostgres(url, newest, log)
  return migrateSqlite(url.slice('file:'.length), newest)
}

/**
 * The wait for a lock on a table. Later queries queue behind a migration that waits, and a dump locks all tables for its
 * duration. So the migration gives up soon and retries.
 */
const lockWithinMs = 1_000
const maxPauseMs = 10_000
/** lock_not_available and deadlock_detected. */
const inUse = ['55P03', '40P01']

async function migratePostgres(url: string, newest: string, log?: Log): Promise<void> {
  const { connectToPrimary } = await import('./postgres-hosts.ts')
  const client = await connectToPrimary(url)
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('trustwright migrations'))")
    await client.query(`SET lock_timeout = ${lockWithinMs}`)
    for (const folder of foldersFor(await lastMigrationOf(client), newest)) await runMigrations(client, folder, log)
    const { migrateQueueSchema } = await import('../queue/queue-schema.ts')
    await untilNotInUse(() => migrateQueueSchema(client, addressOf(url)), log)
  } finally {
    await client.end()
  }
}

/** Runs the migrations of a folder in one transaction. */
async function runMigrations(client: Client, migrationsFolder: string, log: Log | undefined): Promise<void> {
  const { drizzle } = await import('drizzle-orm/node-postgres')
  const { migrate } = await import('drizzle-orm/node-postgres/migrator')
  try {
    await untilNotInUse(() => migrate(drizzle(client), { migrationsFolder }), log)
  } catch (error) {
    throw failedMigration(error, migrationsFolder, await lastMigrationOf(client))
  }
}

/** Runs a migration. Repeats it while a table is in use. */
async function untilNotInUse(migrate: () => Promise<unknown>, log: Log | undefined): Promise<void> {
  for (let pauseMs = lockWithinMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const failure = await migrate().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (!failure) return
    const cause = innermost(failure.error)
    if (!(cause instanceof Error && 'code' in cause && inUse.includes(String(cause.code)))) throw failure.error
    log?.warn({ reason: cause.message }, 'the migration waits for a table that is in use')
    await sleep(pauseMs)
  }
}

/** Returns the time of the newest migration that the database has, or 0 if it has none. */
async function lastMigrationOf(client: Client): Promise<number> {
  const table = await client.query("SELECT to_regclass('drizzle.__drizzle_migrations') AS name")
  if (table.rows[0]?.name === null) return 0
  const { rows } = await client.query('SELECT max(created_at) AS last FROM drizzle.__drizzle_migrations')
  return Number(rows[0]?.last ?? 0)
}

async function migrateSqlite(path: string, newest: string): Promise<void> {
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const { drizzle } = await import('drizzle-orm/better-sqlite3')
  const { migrate } = await import('drizzle-orm/better-sqlite3/migrator')
  const { makeSqliteFile } = await import('./sqlite-file.ts')
  const { assumeLargeTables } = await import('./sqlite-statistics.ts')
  makeSqliteFile(path)
  const database = new SqliteDatabase(path)
  const lastMigration = () => {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get()
    const last = hasTable && database.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get()
    return Number(last ?? 0)
  }
  try {
    database.pragma('journal_mode = WAL')
    // Overwrites the deleted content of a table that a migration rebuilds.
    database.pragma('secure_delete = ON')
    for (const migrationsFolder of foldersFor(lastMigration(), newest)) {
      try {
        migrate(drizzle(database), { migrationsFolder })
      } catch (error) {
        throw failedMigration(error, migrationsFolder, lastMigration())
      }
    }
    assumeLargeTables(database)
  } finally {
    database.close()
  }
}
