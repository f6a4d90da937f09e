import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Database, openDatabase } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'

/** The database that every test database is copied from. On SQLite it is a file. */
const template = 'trustwright_template'
const templateFile = 'TEST_SQLITE_TEMPLATE'
/** The names of all databases of a run begin with it. */
const namePrefix = 'TEST_DATABASE_PREFIX'

/** Makes the template in a folder of the run. It runs once per run. Returns a function that drops the databases that are left. */
export async function prepareDatabases(dir: string): Promise<() => Promise<void>> {
  if (dialect !== 'postgres') {
    const file = join(dir, 'template.db')
    await migrateDatabase(`file:${file}`)
    process.env[templateFile] = file
    return async () => undefined
  }
  const prefix = `test_${randomUUID().slice(0, 8)}_`
  process.env[namePrefix] = prefix
  await onServer(`DROP DATABASE IF EXISTS ${template}`)
  await onServer(`CREATE DATABASE ${template}`)
  await migrateDatabase(urlOf(template))
  return () => dropDatabasesOf(prefix)
}

/** Creates a migrated, empty database. */
export async function newDatabase(dir: string): Promise<{ url: string; drop(): Promise<void> }> {
  if (dialect !== 'postgres') {
    const file = join(dir, 'test.db')
    copyFileSync(process.env[templateFile] ?? '', file)
    return { url: `file:${file}`, drop: async () => undefined }
  }
  const name = `${process.env[namePrefix]}${randomUUID().replaceAll('-', '')}`
  // Without the option, PostgreSQL writes each page of the copy to its log too.
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return { url: urlOf(name), drop: () => dropDatabase(name) }
}

/** Creates a PostgreSQL database with the content of a dump. */
export async function newServerDatabase(name: string, dump: string): Promise<{ url: string; drop(): Promise<void> }> {
  await onServer(`CREATE DATABASE ${name}`)
  await onServer(dump, urlOf(name))
  return { url: urlOf(name), drop: () => dropDatabase(name) }
}

/** Leaves a table in the state after autovacuum. PostgreSQL then knows its statistics, and reads an index alone. */
export async function vacuum(table: string, url: string): Promise<void> {
  if (dialect === 'postgres') await onServer(`VACUUM ANALYZE ${table}`, url)
}

export interface OpenDatabase {
  db: Database
  url: string
  /** The folder of the database. */
  dir: string
  drop(): Promise<void>
}

/** Opens a new database, for tests of the database alone. */
export async function openNewDatabase(): Promise<OpenDatabase> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-database-'))
  const database = await newDatabase(dir)
  const db = openDatabase(database.url, { survives: 'crash' })
  const drop = async () => {
    await db.close()
    await database.drop()
    rmSync(dir, { recursive: true, force: true })
  }
  return { db, url: database.url, dir, drop }
}

function urlOf(database: string): string {
  const url = new URL(process.env.DATABASE_URL ?? '')
  url.pathname = `/${database}`
  return url.href
}

/** A pool reports its end shortly before its connections end. A connection that breaks then emits an error without a listener. */
async function dropDatabase(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const connections = 'SELECT 1 FROM pg_stat_activity WHERE datname = $1'
  for (let asked = 0; asked < 50 && (await client.query(connections, [name])).rowCount; asked++) await sleep(20)
  // Killed processes leave connections.
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await client.end()
}

/** Services that run until their worker ends leave their databases. */
async function dropDatabasesOf(prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix])
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
  await client.end()
}

async function onServer(sql: string, url = process.env.DATABASE_URL): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
