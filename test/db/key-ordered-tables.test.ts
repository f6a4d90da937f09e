import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-key-order-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** The tables that have a key of several columns and no other index. Their rows are many. */
const keyOrdered = [
  'audit_objects',
  'notifications',
  'session_claims',
  'shared_offer_configurations',
  'user_claim_terms',
]

/** The tables that a later migration creates so. */
const createdLater = ['queue_counters', 'queue_meta', 'queue_schedulers', 'queue_values']

/** Returns a folder with the migrations before the one that stores the tables in the order of their keys. */
function earlierMigrations(): string {
  const folder = join(dir, 'earlier')
  cpSync(join(import.meta.dirname, '../../db/migrations/sqlite'), folder, { recursive: true })
  const journal = join(folder, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 2) }))
  return folder
}

test('large tables with only a key are stored in its order, with the rows they had', { tags: 'sqlite' }, async () => {
  const path = join(dir, 'migrated.db')
  await migrateDatabase(`file:${path}`, undefined, earlierMigrations())
  const before = new SqliteDatabase(path)
  const columnsOf = (name: string) =>
    before.prepare<[], { name: string; type: string }>(`SELECT name, type FROM pragma_table_info('${name}')`).all()
  const rows = new Map(
    keyOrdered.map((name) => {
      // A later row has a lower key.
      const made = [3, 2, 1].map((row) =>
        columnsOf(name).map((column) => (column.type === 'integer' ? row : `${column.name} ${row}`)),
      )
      const insert = before.prepare(`INSERT INTO ${name} VALUES (${columnsOf(name).map(() => '?')})`)
      for (const values of made) insert.run(values)
      return [name, made.toReversed()]
    }),
  )
  before.close()

  await migrateDatabase(`file:${path}`)
  const after = new SqliteDatabase(path, { readonly: true })
  const withoutRowid = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr ORDER BY name"
  expect(after.prepare(withoutRowid).pluck().all()).toEqual([...keyOrdered, ...createdLater].toSorted())
  for (const name of keyOrdered) expect(after.prepare(`SELECT * FROM ${name}`).raw().all()).toEqual(rows.get(name))
  after.close()
})
