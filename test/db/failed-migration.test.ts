import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { newDatabase } from '../harness/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'trustwright-failing-'))
let database: Awaited<ReturnType<typeof newDatabase>>
beforeAll(async () => {
  database = await newDatabase(folder)
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Returns a folder with all migrations and one more. */
function withOneMore(...statements: string[]): string {
  const migrations = mkdtempSync(join(folder, 'migrations-'))
  cpSync(join(import.meta.dirname, `../../db/migrations/${dialect}`), migrations, { recursive: true })
  const journal = join(migrations, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  const last = entries.at(-1)
  const added = { ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_new_tables' }
  writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, added] }))
  writeFileSync(join(migrations, '9999_new_tables.sql'), statements.join('\n--> statement-breakpoint\n'))
  return migrations
}

test.each([
  ['syntax', 'CREATE TABLE ()', /syntax error/],
  ['content', 'INSERT INTO new_things (id) VALUES (NULL)', /null/i],
  ['a missing table', 'DROP TABLE no_such_table', /no_such_table/],
])(
  'a migration that fails by %s names itself, its statement and its file, and changes nothing',
  async (_, statement, reason) => {
    const migrations = withOneMore('CREATE TABLE new_things (id text NOT NULL)', statement)
    const error = await migrateDatabase(database.url, undefined, migrations).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    const { message } = error as Error
    expect(message).toMatch(/^Migration 9999_new_tables failed at statement 2 of 2 in \S+9999_new_tables\.sql: /)
    expect(message).toMatch(reason)
    expect(message).toContain(`The statement is: ${statement}`)
    const db = openDatabase(database.url, { survives: 'crash' })
    const before = await db.findMigrationTimes()
    await db.close()
    const whole = JSON.parse(
      readFileSync(join(import.meta.dirname, `../../db/migrations/${dialect}/meta/_journal.json`), 'utf8'),
    )
    expect(before).toHaveLength(whole.entries.length)
  },
)
