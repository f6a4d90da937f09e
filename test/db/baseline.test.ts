import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { findMigrationStatus } from '../../db/engine/migrated.ts'
import { newServerDatabase } from '../harness/database.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-baseline-'))
const drops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of drops) await drop()
  rmSync(dir, { recursive: true })
})

/** Returns the URL of an empty database. */
async function emptyDatabase(name: string): Promise<string> {
  if (dialect === 'sqlite') return `file:${join(dir, `${name}.db`)}`
  const { url, drop } = await newServerDatabase(`baseline_${name}_${process.pid}`, 'SELECT 1')
  drops.push(drop)
  return url
}

/** Runs the first `count` migrations from before the baseline. */
async function runBeforeBaseline(url: string, count: number): Promise<void> {
  const folder = mkdtempSync(join(dir, 'migrations-'))
  cpSync(join(import.meta.dirname, `../../db/migrations/before-baseline/${dialect}`), folder, { recursive: true })
  const journal = join(folder, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }))
  await migrateDatabase(url, undefined, folder)
}

async function missingOf(url: string): Promise<string[]> {
  const db = openDatabase(url, { survives: 'crash' })
  const { missing } = await findMigrationStatus(db)
  await db.close()
  return missing
}

/** Returns a line for each column, key and index. The order of columns depends on when they were added. */
async function schemaOf(url: string): Promise<string[]> {
  return (dialect === 'sqlite' ? schemaOfSqlite(url) : await schemaOfPostgres(url)).sort()
}

function schemaOfSqlite(url: string): string[] {
  const database = new SqliteDatabase(url.slice('file:'.length), { readonly: true })
  const all = (text: string) => database.prepare<[], Record<string, unknown>>(text).all()
  const lines = all("SELECT name, type, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").flatMap(
    ({ name, type, tbl_name, sql }) => {
      if (type !== 'table') return [`${type} ${name} of ${tbl_name}: ${String(sql).replace(/\s+/g, ' ')}`]
      const columns = all(`SELECT * FROM pragma_table_xinfo('${name}')`).map(({ cid: _, ...column }) => column)
      const keys = all(`SELECT * FROM pragma_foreign_key_list('${name}')`).map(({ id: _, ...key }) => key)
      const isWithoutRowid = /WITHOUT ROWID/i.test(String(sql))
      return [...columns, ...keys, { isWithoutRowid }].map((each) => `${name} ${JSON.stringify(each)}`)
    },
  )
  database.close()
  return lines
}

async function schemaOfPostgres(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`
    SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT concat_ws(' ', relname, reloptions::text) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    UNION ALL SELECT concat_ws(' ', relname, attname, attstattarget, attstorage, attcompression, attoptions::text)
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal`)
  await client.end()
  return rows.map(({ line }) => line)
}

test('a new database runs the baseline, and has the tables of one that ran each migration before it', async () => {
  const [newest, oldest, middle] = [
    await emptyDatabase('newest'),
    await emptyDatabase('oldest'),
    await emptyDatabase('middle'),
  ]
  expect((await missingOf(newest))[0]).toBe('0000_baseline')
  await migrateDatabase(newest)
  const expected = await schemaOf(newest)
  expect(expected.length).toBeGreaterThan(1_000)

  await runBeforeBaseline(oldest, Number.POSITIVE_INFINITY)
  expect(await missingOf(oldest)).not.toContain('0000_baseline')
  await runBeforeBaseline(middle, 40)
  const missing = await missingOf(middle)
  expect(missing[0]).toMatch(/^0040_/)
  expect(missing).not.toContain('0000_baseline')
  for (const url of [oldest, middle]) {
    await migrateDatabase(url)
    expect(await missingOf(url)).toEqual([])
    expect(await schemaOf(url)).toEqual(expected)
  }
})
