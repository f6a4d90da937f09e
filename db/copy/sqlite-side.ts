import { resolve } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Misconfigured } from '../../shared/process/dependency.ts'
import { recordCheck, recordCleanClose } from '../engine/sqlite-state.ts'
import { unfinishedCopyTable } from '../engine/unfinished-copy.ts'
import type { CopiedTable } from './copied-tables.ts'
import {
  type CopiedRow,
  type CopiedValue,
  columnList,
  quoted,
  type Side,
  type SideAccess,
  type Statement,
  type Syntax,
} from './side.ts'

const syntax: Syntax = {
  read: ({ name }) => quoted(name),
  parameter: () => '?',
  size: ({ name }) => `octet_length(${quoted(name)})`,
}

/** Opens the SQLite file of a `file:` URL. With exclusive access, locks it until it is closed. */
export function openSqliteSide(url: string, access: Exclude<SideAccess, 'shared'> = 'exclusive'): Side {
  const path = resolve(url.slice('file:'.length))
  const address = `file:${path}`
  const database = access === 'snapshot' ? openSnapshot(path) : openExclusively(path, address)
  /** Whether the next start can omit its check of the file. */
  let isWhole = false
  const run = ({ text, parameters }: Statement) => void database.prepare(text).run(parameters)
  const insertRows = (table: CopiedTable, rows: readonly CopiedRow[]) => {
    const insert = database.prepare<CopiedValue[]>(insertOf(table))
    for (const row of rows) insert.run(...row)
  }
  const hasTable = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?')
  return {
    dialect: 'sqlite',
    address,
    syntax,
    // Boundary: the columns of the statements of db/copy have these types.
    query: async (text, parameters = []) => database.prepare(text).raw().all(parameters) as CopiedRow[],
    async lock() {
      // The file is locked since it was opened.
      isWhole = true
    },
    async findMigrationTimes() {
      if (!hasTable.get('__drizzle_migrations')) return []
      return database.prepare<[], number>('SELECT created_at FROM __drizzle_migrations').pluck().all()
    },
    isUnfinishedCopy: async () => hasTable.get(unfinishedCopyTable) !== undefined,
    async begin() {
      database.pragma('synchronous = FULL')
      database.exec('BEGIN IMMEDIATE')
    },
    async commit() {
      database.exec('COMMIT')
    },
    insertRows: async (table, rows) => insertRows(table, rows),
    async insert(table, rows, also) {
      database.transaction(() => {
        insertRows(table, rows)
        run(also)
      })()
    },
    async commitDurably(statements) {
      database.pragma('synchronous = FULL')
      database.transaction(() => statements.forEach(run))()
      database.pragma('synchronous = NORMAL')
    },
    async finish() {
      recordCheck(path, undefined)
      isWhole = true
    },
    async close() {
      database.close()
      if (isWhole) recordCleanClose(path)
    },
  }
}

function openSnapshot(path: string): SqliteDatabase.Database {
  const database = new SqliteDatabase(path, { readonly: true })
  database.exec('BEGIN')
  return database
}

function openExclusively(path: string, address: string): SqliteDatabase.Database {
  const database = new SqliteDatabase(path, { fileMustExist: true, timeout: 1_000 })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    database.exec('BEGIN IMMEDIATE; COMMIT')
    // A portion that a power failure loses is copied again. `commitDurably` waits for the disk.
    database.pragma('synchronous = NORMAL')
    // 64 MB.
    database.pragma('cache_size = -64000')
    return database
  } catch (error) {
    database.close()
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))) throw error
    throw new Misconfigured(`Another process uses the database at ${address}. Stop the service, then run this again.`)
  }
}

function insertOf({ name, columns }: CopiedTable): string {
  return `INSERT INTO ${quoted(name)} (${columnList(columns)}) VALUES (${columns.map(() => '?').join(', ')})`
}
