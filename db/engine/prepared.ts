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
 * Queries of the hot paths, built once instead of once per call: building is some twenty times as dear as
 * running (measured on SQLite: 340 and 16 µs). What is not hot is written plainly.
 */

interface Preparable<Result> extends PromiseLike<Result> {
  prepare(name: string): unknown
}

/** A text or number that is given when the query runs. */
export function param(name: string): SQL {
  return parameter(sql.placeholder(name))
}

/**
 * A value of a column, encoded as the column has it: a Date, JSON, bytes, or a null. Drizzle leaves plain placeholders in
 * conditions as they are, and encodes a null in rows as if it were a value.
 */
export function paramOf(column: PgColumn, name: string): SQL {
  const encoder = { mapToDriverValue: (value: unknown) => (value === null ? null : column.mapToDriverValue(value)) }
  return parameter(sql.param(sql.placeholder(name), encoder))
}

/**
 * A word that a condition of a prepared query always has. It is written into the query: behind a parameter, SQLite would plan
 * a query of several tables anew each time that it runs (see `parameter`).
 */
export function constant(word: string): SQL {
  if (!/^\w+$/.test(word)) throw new Error(`not a word: ${word}`)
  return sql.raw(`'${word}'`)
}

/** Makes a function that runs the query with values for its parameters. `name` is unique; PostgreSQL keeps the plan by it. */
export function prepared<Result>(name: string, build: (db: Writer) => Preparable<Result>) {
  return queryOf(name, build).run
}

interface Query<Result> {
  run(db: Reader, values: Values): Promise<Result>
  /** Of a query that returns no rows: done before the transaction's next query is, or before its commit, which fails with it. */
  soon(tx: Writer, values: Values): Promise<void>
}

function queryOf<Result>(name: string, build: (db: Writer) => Preparable<Result>): Query<Result> {
  return dialect === 'postgres' ? postgresQuery(name, build) : sqliteQuery(name, build)
}

/** Built once; what is prepared on a connection is known by the connection. */
function postgresQuery<Result>(name: string, build: (db: Writer) => Preparable<Result>): Query<Result> {
  let compiled: ReturnType<typeof compilePostgres> | undefined
  const query = (db: Reader) => {
    // Boundary: reads build no writes, and one builder serves both kinds of connection; the dialect says whose statement it is.
    compiled ??= compilePostgres(build(db as Writer).prepare(name) as unknown as PostgresQuery)
    return compiled
  }
  return {
    // Boundary: Drizzle knows what the query's rows are.
    run: async (db, values) => (await query(db).run(queryableOf(db), values)) as Result,
    soon: async (tx, values) => query(tx).soon(queryableOf(tx), values),
  }
}

/** Boundary: Drizzle keeps what it was opened with (postgres.ts). */
function queryableOf(db: Reader): Queryable {
  return (db as unknown as { $client: Queryable }).$client
}

function sqliteQuery<Result>(name: string, build: (db: Writer) => Preparable<Result>): Query<Result> {
  // By the connection, with which what is prepared on it ends.
  const runners = new WeakMap<Reader, (values: Values) => Result>()
  const run = async (db: Reader, values: Values): Promise<Result> => {
    const known = runners.get(db)
    if (known) return known(values)
    // Boundary: as above.
    const made = compileSqlite(build(db as Writer).prepare(name) as unknown as SqliteQuery) as (
      values: Values,
    ) => Result
    runners.set(db, made)
    return made(values)
  }
  return { run, soon: async (tx, values) => void (await run(tx, values)) }
}

/** The same for a write of which nothing comes back: on PostgreSQL it goes along with what its transaction sends next. */
export function preparedWrite(name: string, build: (db: Writer) => Preparable<unknown>) {
  return queryOf(name, build).soon
}

/** Ids per statement. */
const idCounts = [1, 2, 4, 8, 16, 32, 64]

/**
 * Makes a function that finds the rows of ids, however many: each has a parameter of its own. How long a list in one parameter is
 * PostgreSQL does not know, so that it makes another plan for nearly each (measured, joined to two tables: 260 µs; the query: 25).
 */
export function preparedByIds<Row>(name: string, build: (db: Writer, ids: SQL) => Preparable<Row[]>) {
  const queries = idCounts.map((count) => {
    const names = Array.from({ length: count }, (_, position) => `id${position}`)
    const run = prepared(`${name}_${count}`, (db) => {
      return build(db, sql`(${sql.join(names.map(param), sql`, `)})`)
    })
    return { names, run }
  })
  const most = queries.at(-1)?.names.length ?? 1

  return async (db: Reader, ids: string[], values: Values): Promise<Row[]> => {
    const rows = await Promise.all(
      chunksOf(ids, most).map((chunk) => {
        const query = queries.find(({ names }) => names.length >= chunk.length)
        // The last one fills the places that are left.
        const named = query?.names.map((each, position) => [each, chunk[position] ?? chunk.at(-1)])
        return query && named ? query.run(db, { ...values, ...Object.fromEntries(named) }) : []
      }),
    )
    return rows.flat()
  }
}

/** Rows per statement on SQLite, largest first: many rows take few statements, and each size is built once. */
const sizes = [32, 16, 8, 4, 2, 1]
/** On PostgreSQL, which takes any number: so that no message is large. */
const mostAtOnce = 256

type Columns = [key: string, column: PgColumn][]
type Rows = Record<string, unknown>[]

/**
 * Makes a function that inserts any number of whole rows (every column given), in their order. On PostgreSQL they go along with
 * the transaction's next query, or with its commit, where a violation is told then.
 */
export function preparedInsert<Table extends PgTable>(name: string, table: Table, onConflict?: 'doNothing') {
  const columns: Columns = Object.entries(getTableColumns(table))
  const statements = new Map(sizes.map((size) => [size, insertOf(name, table, columns, size, onConflict)]))
  const insertList = compileListInsert(`${name}_list`, getTableName(table), columns, onConflict)

  /** What one statement takes of them; returns how many. */
  async function insertSome(tx: Writer, rows: Rows): Promise<number> {
    const isList = dialect === 'postgres' && rows.length > 1
    const size = isList ? mostAtOnce : (sizes.find((each) => each <= rows.length) ?? 1)
    if (isList) await insertList(queryableOf(tx), rows.slice(0, size))
    else await statements.get(size)?.(tx, rows.slice(0, size))
    return size
  }

  return async (tx: Writer, rows: Table['$inferSelect'][]): Promise<void> => {
    for (let from = 0; from < rows.length; ) from += await insertSome(tx, rows.slice(from, from + mostAtOnce))
  }
}

function insertOf(name: string, table: PgTable, columns: Columns, size: number, onConflict?: 'doNothing') {
  const statement = queryOf(`${name}_${size}`, (tx) => {
    const rows = Array.from({ length: size }, (_, row) =>
      Object.fromEntries(columns.map(([key, column], at) => [key, paramOf(column, String(row * columns.length + at))])),
    )
    // Boundary: a placeholder for every column is a whole row.
    const insert = tx.insert(table).values(rows as PgTable['$inferInsert'][])
    return onConflict ? insert.onConflictDoNothing() : insert
  })
  return (tx: Writer, rows: Rows) => {
    const values = rows.flatMap((row) => columns.map(([key]) => row[key]))
    // Boundary: a list has its values by their positions, which are the parameters' names.
    return statement.soon(tx, values as unknown as Values)
  }
}
