import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../client.ts'
import { dialect, parameter } from '../columns.ts'
import { chunksOf } from '../repos/chunks.ts'
import type { Values } from './compiled-query.ts'
import { compileListInsert } from './postgres-insert.ts'
import { compilePostgres, type PostgresQuery, type Queryable } from './postgres-query.ts'
import { compileSqlite, type SqliteQuery } from './sqlite-query.ts'

/**
 * Queries of the hot paths are built once instead of once per call. Building takes about twenty times as long as running
 * (measured on SQLite: 340 and 16 µs). Other queries use Drizzle directly.
 */

interface Preparable<Result> extends PromiseLike<Result> {
  prepare(name: string): unknown
}

/** A text or number that is passed when the query runs. */
export function param(name: string): SQL {
  return parameter(sql.placeholder(name))
}

/**
 * A value that its column encodes, such as a Date, JSON, bytes or null. Drizzle does not encode plain placeholders in
 * conditions, and it encodes a null in rows like a value.
 */
export function paramOf(column: PgColumn, name: string): SQL {
  const encoder = { mapToDriverValue: (value: unknown) => (value === null ? null : column.mapToDriverValue(value)) }
  return parameter(sql.param(sql.placeholder(name), encoder))
}

/**
 * A constant word in a condition of a prepared query. It is part of the text, because SQLite would plan a query of
 * several tables at each execution if the word was a parameter (see `parameter`).
 */
export function constant(word: string): SQL {
  if (!/^\w+$/.test(word)) throw new Error(`not a word: ${word}`)
  return sql.raw(`'${word}'`)
}

/** Makes a function that runs the query with values for its parameters. `name` is unique, PostgreSQL stores the plan under it. */
export function prepared<Result>(name: string, build: (db: Writer) => Preparable<Result>) {
  return queryOf(name, build).run
}

interface Query<Result> {
  run(db: Reader, values: Values): Promise<Result>
  /** Queues a query without rows. It runs before the next query or the commit of the transaction, which fails if this query fails. */
  queueWithNextMessage(tx: Writer, values: Values): Promise<void>
}

function queryOf<Result>(name: string, build: (db: Writer) => Preparable<Result>): Query<Result> {
  return dialect === 'postgres' ? postgresQuery(name, build) : sqliteQuery(name, build)
}

/** Compiles the query once. Each connection knows which queries are prepared on it. */
function postgresQuery<Result>(name: string, build: (db: Writer) => Preparable<Result>): Query<Result> {
  let compiled: ReturnType<typeof compilePostgres> | undefined
  const query = (db: Reader) => {
    // Boundary: one builder serves readers and writers. The dialect determines the type of the prepared query.
    compiled ??= compilePostgres(build(db as Writer).prepare(name) as unknown as PostgresQuery)
    return compiled
  }
  return {
    // Boundary: Drizzle has typed the rows of the query.
    run: async (db, values) => (await query(db).run(queryableOf(db), values)) as Result,
    queueWithNextMessage: async (tx, values) => query(tx).queueWithNextMessage(queryableOf(tx), values),
  }
}

/** Boundary: `$client` is the client that Drizzle was opened with (postgres.ts). */
function queryableOf(db: Reader): Queryable {
  return (db as unknown as { $client: Queryable }).$client
}

function sqliteQuery<Result>(name: string, build: (db: Writer) => Preparable<Result>): Query<Result> {
  // A prepared statement ends with its connection.
  const runners = new WeakMap<Reader, (values: Values) => Result>()
  const run = async (db: Reader, values: Values): Promise<Result> => {
    const runner = runners.get(db)
    if (runner) return runner(values)
    // Boundary: as above.
    const made = compileSqlite(build(db as Writer).prepare(name) as unknown as SqliteQuery) as (
      values: Values,
    ) => Result
    runners.set(db, made)
    return made(values)
  }
  return { run, queueWithNextMessage: async (tx, values) => void (await run(tx, values)) }
}

/** Prepares a write that returns no rows, like `prepared`. On PostgreSQL it is sent with the next query of its transaction. */
export function preparedWrite(name: string, build: (db: Writer) => Preparable<unknown>) {
  return queryOf(name, build).queueWithNextMessage
}

/** Ids per statement. */
const idCounts = [1, 2, 4, 8, 16, 32, 64]

/**
 * Makes a function that finds the rows of any number of ids. Each id has its own parameter. PostgreSQL does not know the
 * length of a list in one parameter, and plans nearly each execution (measured with two joins: 260 µs, the query: 25).
 */
export function preparedByIds<Row>(name: string, build: (db: Writer, ids: SQL) => Preparable<Row[]>) {
  const queries = idCounts.map((count) => {
    const names = Array.from({ length: count }, (_, position) => `id${position}`)
    const run = prepared(`${name}_${count}`, (db) => {
      return build(db, sql`(${sql.join(names.map(param), sql`, `)})`)
    })
    return { names, run }
  })
  const maxIds = queries.at(-1)?.names.length ?? 1

  return async (db: Reader, ids: string[], values: Values): Promise<Row[]> => {
    const rows = await Promise.all(
      chunksOf(ids, maxIds).map((chunk) => {
        const query = queries.find(({ names }) => names.length >= chunk.length)
        // The last id fills the remaining parameters.
        const named = query?.names.map((each, position) => [each, chunk[position] ?? chunk.at(-1)])
        return query && named ? query.run(db, { ...values, ...Object.fromEntries(named) }) : []
      }),
    )
    return rows.flat()
  }
}

/** Rows per statement on SQLite, largest first. Each size is built once. */
const sizes = [32, 16, 8, 4, 2, 1]
/** Rows per statement on PostgreSQL. It limits the size of a message. */
const maxAtOnce = 256

type Columns = [key: string, column: PgColumn][]
type Rows = Record<string, unknown>[]

/**
 * Makes a function that inserts any number of rows with all columns, in their order. On PostgreSQL they are sent with the
 * next query of the transaction or with its commit, which reports a violation.
 */
export function preparedInsert<Table extends PgTable>(name: string, table: Table, onConflict?: 'doNothing') {
  const columns: Columns = Object.entries(getTableColumns(table))
  const statements = new Map(sizes.map((size) => [size, insertOf(name, table, columns, size, onConflict)]))
  const insertList = compileListInsert(`${name}_list`, getTableName(table), columns, onConflict)

  /** Inserts the rows of one statement. Returns their number. */
  async function insertSome(tx: Writer, rows: Rows): Promise<number> {
    const isList = dialect === 'postgres' && rows.length > 1
    const size = isList ? maxAtOnce : (sizes.find((each) => each <= rows.length) ?? 1)
    if (isList) await insertList(queryableOf(tx), rows.slice(0, size))
    else await statements.get(size)?.(tx, rows.slice(0, size))
    return size
  }

  return async (tx: Writer, rows: Table['$inferSelect'][]): Promise<void> => {
    for (let from = 0; from < rows.length; ) from += await insertSome(tx, rows.slice(from, from + maxAtOnce))
  }
}

/** Makes a function for PostgreSQL that inserts the rows that match a condition (`compileListInsert`), in the same way. */
export function preparedInsertWhere<Table extends PgTable>(name: string, table: Table, condition: string) {
  const columns: Columns = Object.entries(getTableColumns(table))
  const insertList = compileListInsert(name, getTableName(table), columns, 'doNothing', condition)
  return async (tx: Writer, rows: Table['$inferSelect'][]): Promise<void> => {
    for (const chunk of chunksOf(rows, maxAtOnce)) await insertList(queryableOf(tx), chunk)
  }
}

function insertOf(name: string, table: PgTable, columns: Columns, size: number, onConflict?: 'doNothing') {
  const statement = queryOf(`${name}_${size}`, (tx) => {
    const rows = Array.from({ length: size }, (_, row) =>
      Object.fromEntries(columns.map(([key, column], at) => [key, paramOf(column, String(row * columns.length + at))])),
    )
    // Boundary: the row has a placeholder for each column.
    const insert = tx.insert(table).values(rows as PgTable['$inferInsert'][])
    return onConflict ? insert.onConflictDoNothing() : insert
  })
  return (tx: Writer, rows: Rows) => {
    const values = rows.flatMap((row) => columns.map(([key]) => row[key]))
    // Boundary: the parameters are named by the positions of the list.
    return statement.queueWithNextMessage(tx, values as unknown as Values)
  }
}
