import { fileURLToPath } from 'node:url'
import { readConfig } from '../shared/config.ts'
import { endStart, untilReached } from '../shared/dependency.ts'
import { createLog, type Log } from '../shared/log.ts'
import { openDatabase } from './client.ts'
import { dialect } from './columns.ts'
import { databaseDependency } from './dependency.ts'

/** Brings the database of `url` to the newest schema; safe to run from several machines at once on PostgreSQL. */
export async function migrateDatabase(url: string): Promise<void> {
  const migrationsFolder = fileURLToPath(new URL(`./migrations/${dialect}`, import.meta.url))
  if (dialect === 'postgres') return migratePostgres(url, migrationsFolder)
  return migrateSqlite(url.slice('file:'.length), migrationsFolder)
}

async function migratePostgres(url: string, migrationsFolder: string): Promise<void> {
  const { Client } = await import('pg')
  const { drizzle } = await import('drizzle-orm/node-postgres')
  const { migrate } = await import('drizzle-orm/node-postgres/migrator')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('trustwright migrations'))")
    await migrate(drizzle(client), { migrationsFolder })
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
    migrate(drizzle(database), { migrationsFolder })
    assumeLargeTables(database)
  } finally {
    database.close()
  }
}

if (import.meta.main) {
  const { databaseUrl, logLevel, production } = readConfig(process.env)
  await untilThere(databaseUrl, createLog({ process: 'migrate', level: logLevel, pretty: !production }))
  await migrateDatabase(databaseUrl)
}

/** Whatever starts the machines starts the database as well, and often later. */
async function untilThere(url: string, log: Log): Promise<void> {
  const db = openDatabase(url, { survives: 'powerLoss' })
  await untilReached(databaseDependency(db, url), log).catch((error) => endStart(log, error))
  await db.close()
}
