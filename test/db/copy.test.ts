import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ColumnKind, type CopiedTable, copiedTables } from '../../db/copy/copied-tables.ts'
import { portionsOf } from '../../db/copy/portions.ts'
import { openPostgresSide } from '../../db/copy/postgres-side.ts'
import { columnList } from '../../db/copy/side.ts'
import { openSqliteSide } from '../../db/copy/sqlite-side.ts'
import { postgresQueueTables } from '../../db/queue/queue-tables.ts'
import * as schema from '../../db/schema.ts'
import { createCommands } from '../harness/commands.ts'
import { newDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'

const tables = copiedTables()
const names = tables.map(({ name }) => name).sort()
/** The columns that can be null, with the names of their tables. */
const nullable = new Set(
  Object.values(schema)
    .filter((each) => is(each, Table))
    .flatMap((table) =>
      Object.values(getTableColumns(table)).flatMap(({ name, notNull, primary }) =>
        notNull || primary ? [] : `${getTableName(table)} ${name}`,
      ),
    ),
)

/** Two values of each kind, as SQLite stores them. */
const values: Record<ColumnKind, [unknown, unknown]> = {
  text: ['1 ü"\\\'\n{,}\u{1f600}', ''],
  json: ['{"b": 1.0,  "a":["\\u0000", "\\\\"]}', '"text"'],
  integer: [2_147_483_647, -2],
  boolean: [1, 0],
  bytes: [Buffer.from([0, 1, 92, 120, 255]), Buffer.alloc(0)],
  timestamp: [1_751_327_999_987, -1],
}

/** Returns the first or the second row of a table. The second has null where a column allows it. */
function rowOf({ name, columns }: CopiedTable, row: 0 | 1): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => [
      column.name,
      row === 1 && nullable.has(`${name} ${column.name}`) ? null : values[column.kind][row],
    ]),
  )
}

/** Inserts both rows in PostgreSQL, by its own conversions of texts. */
function fillTable(table: CopiedTable): { text: string; values: unknown[] }[] {
  return ([0, 1] as const).map((row) => ({
    text: `INSERT INTO "${table.name}" (${columnList(table.columns)}) VALUES (${table.columns.map((_, index) => `$${index + 1}`)})`,
    values: table.columns.map(({ name, kind }) => {
      const value = rowOf(table, row)[name]
      return value !== null && kind === 'timestamp' ? new Date(Number(value)).toISOString() : value
    }),
  }))
}

const spentProofs = (count: number) =>
  `INSERT INTO spent_proofs (tenant_id, hash, expires_at) SELECT 'tenant', md5(n::text), now() FROM generate_series(1, ${count}) AS n`

/** Runs statements in one connection. Returns the rows of the last one. */
async function onPostgres(url: string, ...statements: (string | pg.QueryConfig)[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Returns the rows of a table as PostgreSQL writes them. */
async function textsOf(url: string, table: string): Promise<unknown[]> {
  const rows = await onPostgres(url, `SELECT each::text AS text FROM "${table}" AS each ORDER BY 1`)
  return rows.map(({ text }) => text)
}

describe('npm run db:copy', { tags: 'postgres' }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-copy-'))
  const commands = createCommands({ DATA_DIR: dir, NODE_ENV: 'development' })
  const dropped: (() => Promise<void>)[] = []
  const copy = (from: string, to: string) => commands.run(`db/cli/copy.ts ${to}`, { DATABASE_URL: from })
  const newFile = (name: string) => `file:${join(dir, name)}`
  const emptyPostgres = async () => {
    const database = await newDatabase(dir)
    dropped.push(database.drop)
    return database.url
  }
  let postgres: string
  beforeAll(async () => {
    postgres = await emptyPostgres()
    await onPostgres(postgres, ...tables.flatMap(fillTable))
  })
  afterAll(async () => {
    commands.end()
    for (const drop of dropped) await drop()
    rmSync(dir, { recursive: true, force: true })
  })

  test('every table of the database is copied, except those of the queues', async () => {
    const rows = await onPostgres(
      postgres,
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    )
    expect(rows.map(({ table_name }) => table_name).sort()).toEqual(
      [...names, ...Object.keys(postgresQueueTables)].sort(),
    )
  })

  test('each column of each table has the same value in SQLite and in the copy of the copy', async () => {
    const file = newFile('each.db')
    expect(await copy(postgres, file)).toMatchObject({ code: 0, stderr: '' })
    const sqlite = new SqliteDatabase(file.slice('file:'.length), { readonly: true })
    for (const table of tables) {
      const rows = sqlite.prepare(`SELECT * FROM "${table.name}"`).all()
      expect(rows, table.name).toHaveLength(2)
      expect(rows, table.name).toEqual(expect.arrayContaining([rowOf(table, 0), rowOf(table, 1)]))
    }
    expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal')
    sqlite.close()

    const back = await emptyPostgres()
    const result = await copy(file, back)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain(`${2 * tables.length} rows of ${tables.length} tables`)
    for (const { name } of tables) expect(await textsOf(back, name), name).toEqual(await textsOf(postgres, name))
    expect(await onPostgres(back, "SELECT to_regclass('unfinished_copy') AS name")).toEqual([{ name: null }])
  })

  test('a killed copy continues, and until its end no process starts on it', async () => {
    const source = await emptyPostgres()
    await onPostgres(
      source,
      spentProofs(60_000),
      "INSERT INTO audit_heads (tenant_id, number, hash) VALUES ('tenant', 0, '')",
    )
    const file = newFile('killed.db')
    const killed = commands.start(`db/cli/copy.ts ${file}`, { DATABASE_URL: source })
    await eventually(async () => killed.output().includes('audit_heads: 1 row'))
    killed.process.kill('SIGKILL')
    expect(await killed.ended).toMatchObject({ code: null })

    const start = await commands.run('db/cli/migrate.ts', { DATABASE_URL: file })
    expect(start).toMatchObject({ code: 1, stderr: expect.stringContaining('is an unfinished copy') })
    expect((await copy(postgres, file)).stderr).toMatch(/is an unfinished copy of .*, not of/)
    expect((await copy(file, await emptyPostgres())).stderr).toContain('is an unfinished copy')

    const continued = await copy(source, file)
    expect(continued).toMatchObject({ code: 0, stdout: expect.stringContaining('continues') })
    expect(continued.stdout).toContain('60,001 rows')
    expect(await commands.run('db/cli/migrate.ts', { DATABASE_URL: file })).toMatchObject({ code: 0 })
  })

  test('a source that changed between two runs is found by the comparison', async () => {
    const [source, target] = [newFile('changed.db'), await emptyPostgres()]
    expect(await copy(postgres, source)).toMatchObject({ code: 0 })
    // The mark of a copy that has its rows but did not end.
    const marks = tables.map(({ name }) => `('${name}', '${source}', null)`)
    await onPostgres(
      target,
      'CREATE TABLE unfinished_copy (table_name text PRIMARY KEY, source text, last_key text)',
      `INSERT INTO unfinished_copy VALUES ${marks}`,
      `INSERT INTO tenant_hosts VALUES ('other.example', 'tenant')`,
    )
    const result = await copy(source, target)
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('tenant_hosts: 2 and 3 rows') })
  })

  test('refuses databases that it could damage, and says what to do', async () => {
    const file = newFile('refused.db')
    const refusal = async (from: string, to: string) => {
      const { code, stderr } = await copy(from, to)
      return code === 1 ? stderr : 'it was done'
    }
    expect(await refusal(postgres, 'sqlite:/tmp/a.db')).toContain('npm run db:copy -- postgres://')
    expect(await refusal(postgres, postgres)).toContain('pg_dump')
    expect(await refusal(newFile('nothing.db'), postgres)).toContain('There is no database')
    expect(await copy(postgres, file)).toMatchObject({ code: 0 })
    expect(await refusal(postgres, file)).toMatch(/is not empty: \w+ has rows/)
    expect(await refusal(file, newFile('other.db'))).toContain('npm run backup')

    const damaged = newFile('damaged.db')
    const path = damaged.slice('file:'.length)
    copyFileSync(file.slice('file:'.length), path)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0x55, bytes.length / 2, bytes.length / 2 + 40_960))
    expect(await refusal(damaged, await emptyPostgres())).toMatch(/is damaged: .* Restore a backup first/s)

    const used = new SqliteDatabase(file.slice('file:'.length))
    used.prepare('SELECT 1 FROM tenants').get()
    const target = await emptyPostgres()
    expect(await refusal(file, target)).toContain('Stop the service')
    used.close()
    const connected = new pg.Client({ connectionString: target, application_name: 'worker' })
    await connected.connect()
    expect(await refusal(file, target)).toMatch(/process \d+ \(worker\) .* Stop the service/)
    await connected.end()

    await onPostgres(target, 'UPDATE drizzle.__drizzle_migrations SET created_at = 1')
    expect(await refusal(file, target)).toMatch(/lacks migrations of this version \(\d+\).*migrate.ts/)
    await onPostgres(target, 'INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (1, 4102444800000)')
    expect(await refusal(file, target)).toContain('migrations of a later version (1)')
    expect(await refusal(newFile('nothing.db'), target)).toContain('There is no database')
  })

  test('no process can write to PostgreSQL while it is copied', async () => {
    const source = await emptyPostgres()
    const write = () => onPostgres(source, "SET lock_timeout = '50ms'", spentProofs(1))
    const side = await openPostgresSide(source)
    await side.lock(tables)
    await expect(write()).rejects.toThrow('lock timeout')
    await side.close()
    await write()
    expect(await textsOf(source, 'spent_proofs')).toHaveLength(1)
  })

  test('a portion has a bounded number of rows and of bytes', async () => {
    const source = await emptyPostgres()
    const chunk = (position: number, bytes: number) =>
      `INSERT INTO evidence_chunks (tenant_id, ecosystem_id, evidence_id, position, content) VALUES ('tenant', 'any', 'one', ${position}, decode(repeat('00', ${bytes}), 'hex'))`
    await onPostgres(
      source,
      ...[2_500_000, 2_500_000, 2_500_000, 2_500_000, 9_000_000, 1].map((bytes, position) => chunk(position, bytes)),
      spentProofs(2_001),
    )
    const file = newFile('portions.db')
    expect(await copy(source, file)).toMatchObject({ code: 0 })
    for (const side of [await openPostgresSide(source), openSqliteSide(file)]) {
      const countsOf = async (name: string) => {
        const table = tables.find((each) => each.name === name)!
        return Array.fromAsync(portionsOf(side, table), ({ rows }) => rows.length)
      }
      expect(await countsOf('evidence_chunks')).toEqual([3, 1, 1, 1])
      expect(await countsOf('spent_proofs')).toEqual([1_000, 1_000, 1])
      await side.close()
    }
  })
})
