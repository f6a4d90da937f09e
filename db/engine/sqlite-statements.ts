import type SqliteDatabase from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Reader, Writer } from './database.ts'

/** The texts that a connection keeps at most. */
const maxStatements = 256

type Statement = SqliteDatabase.Statement<unknown[]>

/** The methods of a statement that Drizzle and `compileSqlite` call. In raw mode, rows are arrays. */
type KeptStatement = Pick<Statement, 'run' | 'all' | 'get'> & { raw(): Pick<Statement, 'all' | 'get'> }

/**
 * The connection as Drizzle uses it. It keeps statements by their text, because Drizzle prepares a statement for each call, and to prepare
 * one takes several times as long as to run it. Two callers with the same text can have rows of a different shape, so a text has a
 * statement for each of both modes.
 */
export class SqliteStatements {
  readonly #connection: SqliteDatabase.Database
  readonly #kept = new LRUCache<string, KeptStatement>({ max: maxStatements })

  constructor(connection: SqliteDatabase.Database) {
    this.#connection = connection
  }

  /** Returns the statement of a text. An invalid text fails when the statement is used. */
  prepare(sql: string): KeptStatement {
    let kept = this.#kept.get(sql)
    if (!kept) {
      kept = keep(() => this.#connection.prepare(sql))
      this.#kept.set(sql, kept)
    }
    return kept
  }
}

/** Prepares the statement of each mode when it is first used. */
function keep(prepare: () => Statement): KeptStatement {
  let plain: Statement | undefined
  let raw: Statement | undefined
  const statement = () => {
    plain ??= prepare()
    return plain
  }
  return {
    run: (...values) => statement().run(...values),
    all: (...values) => statement().all(...values),
    get: (...values) => statement().get(...values),
    raw: () => {
      raw ??= prepare().raw()
      return raw
    },
  }
}

/** Returns the statements of a SQLite connection or transaction, for queries that Drizzle does not build. */
export function statementsOf(connection: Reader | Writer): SqliteStatements {
  // Boundary: `openSqlite` gives Drizzle its client, and Drizzle keeps it in `$client`.
  const { $client } = connection as unknown as { $client?: unknown }
  if ($client instanceof SqliteStatements) return $client
  throw new Error('The database is not SQLite.')
}
