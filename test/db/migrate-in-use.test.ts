import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { eventually } from '../harness/harness.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'

const beforeBaseline = join(import.meta.dirname, '../../db/migrations/before-baseline/postgres')

describe('a PostgreSQL database in use', { tags: 'postgres' }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    return client
  }

  /** As the first version left it. */
  async function migrateToFirst(client: pg.Client): Promise<void> {
    const migrationsFolder = mkdtempSync(join(tmpdir(), 'trustwright-migrations-'))
    cpSync(beforeBaseline, migrationsFolder, { recursive: true })
    const journal = join(migrationsFolder, 'meta/_journal.json')
    const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
    writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 1) }))
    await migrate(drizzle(client), { migrationsFolder })
    rmSync(migrationsFolder, { recursive: true })
  }

  test('a migration that waits for a dump does not block others for long, and runs after the dump', async () => {
    const [dump, reader] = [await connect(), await connect()]
    await migrateToFirst(dump)
    await dump.query('BEGIN; SELECT * FROM events; SELECT * FROM users')
    let isDone = false
    const migrating = migrateDatabase(server.url).then(() => {
      isDone = true
    })
    await reader.query('SET statement_timeout = 60000')
    const isWaiting = async () => {
      const text = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
      return (await reader.query(text)).rows[0].count > 0
    }
    // The migration waits, gives way to the reader and tries again.
    for (let attempt = 1; attempt <= 2; attempt++) {
      await eventually(isWaiting)
      await reader.query('SELECT count(*) FROM events')
    }
    expect(isDone).toBe(false)
    await dump.query('COMMIT')
    await migrating
    await reader.query('SELECT wallet_client_id FROM events')
    await Promise.all([dump.end(), reader.end()])
  })
})
