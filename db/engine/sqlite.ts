import SqliteDatabase from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { Misconfigured } from '../../shared/process/dependency.ts'
import type { Driver, Writer } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { makeSqliteFile } from './sqlite-file.ts'
import { findDamage, recordCleanClose } from './sqlite-state.ts'
import { SqliteStatements } from './sqlite-statements.ts'
import { translateError } from './unavailable.ts'
import { unfinishedCopyTable } from './unfinished-copy.ts'

/**
 * SQLite in WAL mode: one read-only connection, and one for writes, whose transactions share commits (group-commit.ts),
 * because Drizzle refuses async callbacks in better-sqlite3's own transactions.
 */
export function openSqlite(path: string, { survives }: { survives: 'crash' | 'powerLoss' }): Driver {
  const { reads, writes } = openBoth(path)
  writes.pragma(`synchronous = ${survives === 'powerLoss' ? 'FULL' : 'NORMAL'}`)
  const writer = drizzleOn(writes)
  const group = createGroupCommit(writes)
  const txAtOnce: Driver['txAtOnce'] = (work, { deadline, mayLoseOnPowerFailure } = {}) =>
    group.run(
      async () => {
        deadline?.require()
        const result = await work(writer)
        deadline?.require()
        return result
      },
      { mayLoseOnPowerFailure },
    )
  const read = drizzleOn(translating(reads))
  return {
    read,
    postgres: undefined,
    standbyRead: async () => read,
    tx: txAtOnce,
    txAtOnce,
    async emptyLog() {
      await group.idle()
      return checkpoint(writes)
    },
    async findMigrationTimes() {
      const table = reads.prepare(`SELECT 1 FROM sqlite_schema WHERE name = '${migrations}'`)
      if (!table.get()) return []
      return reads.prepare<[], number>(`SELECT created_at FROM ${migrations}`).pluck().all()
    },
    isUnfinishedCopy: async () =>
      reads.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(unfinishedCopyTable) !== undefined,
    pools: () => [],
    findDamage: () => findDamage(path),
    keepsSessions: async () => true,
    measureStandby: async () => undefined,
    async ping() {
      reads.prepare('SELECT 1').get()
    },
    async close() {
      await group.idle()
      reads.close()
      writes.close()
      recordCleanClose(path)
    },
  }
}

function drizzleOn(connection: SqliteDatabase.Database): Writer {
  // Boundary: Drizzle only prepares statements on its client. Both dialects are PostgreSQL to the type checker; see columns.ts.
  return drizzle(new SqliteStatements(connection) as unknown as SqliteDatabase.Database) as unknown as Writer
}

/** The table of Drizzle's migrator. */
const migrations = '__drizzle_migrations'

/** Readers and new connections wait only for a process that recovers the log of a killed process. */
const repairMs = 5_000

/** Throws Misconfigured if the database can be neither opened nor created. */
function openBoth(path: string) {
  try {
    makeSqliteFile(path)
    return { writes: open(path, { readonly: false }), reads: open(path, { readonly: true }) }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error)
    throw new Misconfigured(
      `The database at file:${path} cannot be opened (${reason}). Check DATABASE_URL, or DATA_DIR if DATABASE_URL is not set.`,
      { cause: error },
    )
  }
}

function open(path: string, options: { readonly: boolean }): SqliteDatabase.Database {
  const database = new SqliteDatabase(path, { ...options, timeout: repairMs })
  if (!options.readonly) database.pragma('journal_mode = WAL')
  database.pragma('foreign_keys = ON')
  // 4 MB. Each commit of another process empties the cache, and a small cache fits into that of the processor.
  database.pragma('cache_size = -4000')
  // 16 MB. A page that is written many times is copied to the file once, and the log still has one index block.
  if (!options.readonly) database.pragma('wal_autocheckpoint = 4000')
  // Overwrites deleted content, also in free pages. `fast` does not overwrite free pages.
  if (!options.readonly) database.pragma('secure_delete = ON')
  if (!options.readonly) database.pragma('busy_timeout = 0')
  return database
}

/** The maximum time for which a checkpoint blocks the event loop and the writers of other processes. */
const checkpointMs = 50

/** Copies the log to the file and truncates the log. Returns false if another connection prevents it. Call it outside of transactions. */
function checkpoint(database: SqliteDatabase.Database): boolean {
  // The passive checkpoint copies most pages without blocking. So the truncation blocks for a short time only.
  database.pragma('wal_checkpoint(PASSIVE)')
  database.pragma(`busy_timeout = ${checkpointMs}`)
  try {
    return database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0
  } finally {
    database.pragma('busy_timeout = 0')
  }
}

/** Makes the statements of a connection throw `DatabaseUnavailable`. In a transaction, `openDatabase` translates errors. */
function translating(database: SqliteDatabase.Database): SqliteDatabase.Database {
  const prepare = database.prepare.bind(database)
  const guarded = (sql: string) => {
    const statement = translated(() => prepare(sql))
    const { all, get } = statement
    statement.all = (...values) => translated(() => all.apply(statement, values))
    statement.get = (...values) => translated(() => get.apply(statement, values))
    return statement
  }
  // Boundary: the overloads for the types of values and rows do not change.
  database.prepare = guarded as typeof database.prepare
  return database
}

function translated<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw translateError(error)
  }
}
