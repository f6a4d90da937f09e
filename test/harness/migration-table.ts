import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { dialect } from '../../db/columns.ts'

const table = dialect === 'postgres' ? 'drizzle.__drizzle_migrations' : '__drizzle_migrations'

/** Makes a database appear to lack its last migration. */
export function forgetLastMigration(url: string): Promise<void> {
  return run(url, `DELETE FROM ${table} WHERE created_at = (SELECT max(created_at) FROM ${table})`)
}

/** Makes a database appear to be migrated by a later version. */
export function addLaterMigration(url: string): Promise<void> {
  return run(url, `INSERT INTO ${table} (hash, created_at) SELECT 'later', max(created_at) + 1 FROM ${table}`)
}

async function run(url: string, sql: string): Promise<void> {
  if (dialect === 'sqlite') {
    const database = new SqliteDatabase(url.slice('file:'.length), { timeout: 5_000 })
    database.exec(sql)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
