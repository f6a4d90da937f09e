import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationConfig } from '../shared/config.ts'
import { addressOf, endStart, innermost, Misconfigured, orEnd, reasonOf, untilReached } from '../shared/dependency.ts'
import { createLog, type Log, withoutParameters } from '../shared/log.ts'
import { openDatabase } from './client.ts'
import { dialect } from './columns.ts'
import { databaseDependency } from './dependency.ts'
import { findMigrationStanding, type MigrationStanding } from './migrated.ts'

/** Brings the database of `url` to the newest schema; safe to run from several machines at once on PostgreSQL. */
export async function migrateDatabase(url: string, log?: Log): Promise<void> {
  const migrationsFolder = fileURLToPath(new URL(`./migrations/${dialect}`, import.meta.url))
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
  const { mkdirSync } = await import('node:fs')
  const { dirname } = await import('node:path')
  const { default: SqliteDatabase } = await import('better-sqlite3')
  const { drizzle } = await import('drizzle-orm/better-sqlite3')
  const { migrate } = await import('drizzle-orm/better-sqlite3/migrator')
  const { assumeLargeTables } = await import('./sqlite-statistics.ts')
  mkdirSync(dirname(path), { recursive: true })
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

if (import.meta.main) {
  const { databaseUrl, logLevel, production } = orEnd(() => readMigrationConfig(process.env))
  const log = createLog({ process: 'migrate', level: logLevel, pretty: !production })
  const address = addressOf(databaseUrl)
  const before = await standingOf(databaseUrl, log)
  await migrateDatabase(databaseUrl, log).catch((error) => {
    const reason = withoutParameters(reasonOf(error))
    endStart(log, new Misconfigured(`The database at ${address} could not be migrated, and is as it was: ${reason}`))
  })
  console.log(`The database at ${address} ${told(before)}`)
}

/** Of a database that is there: whatever starts the machines starts it as well, and often later. */
async function standingOf(url: string, log: Log): Promise<MigrationStanding> {
  const db = orEnd(() => openDatabase(url, { survives: 'powerLoss' }))
  await untilReached(databaseDependency(db, url), log).catch((error) => endStart(log, error))
  const standing = await findMigrationStanding(db)
  await db.close()
  return standing
}

/** What was done to a database that was so before. */
function told({ missing, run, later }: MigrationStanding): string {
  const more = later > 0 ? ` It has ${later} of a later version as well, which stay.` : ''
  if (missing.length === 0) return `has all ${run} migrations of this version: nothing had to be done.${more}`
  const names = run > 0 ? ` (${missing.join(', ')})` : ''
  return `has all ${run + missing.length} migrations of this version: ${missing.length} were run now${names}.`
}
