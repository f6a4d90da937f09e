import { type Column, type Param, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'

/**
 * What the two dialects have apart, for tables and queries. Tables are written with these builders; `DATABASE_URL` decides at
 * start which database they describe. To the type checker every table is a PostgreSQL table: the run-time values (Date,
 * JSON, boolean, Buffer, string, number) are the same on both, which `test/db/columns.test.ts` holds.
 */
export const dialect: 'sqlite' | 'postgres' = process.env.DATABASE_URL?.startsWith('postgres') ? 'postgres' : 'sqlite'

// The casts below are the boundary that the comment above describes.
function either<Postgres>(postgres: Postgres, lite: unknown): Postgres {
  return dialect === 'postgres' ? postgres : (lite as Postgres)
}

const bytea = pg.customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const blob = sqlite.customType<{ data: Buffer }>({ dataType: () => 'blob' })

export const table = either(pg.pgTable, sqlite.sqliteTable)
export const index = either(pg.index, sqlite.index)
export const uniqueIndex = either(pg.uniqueIndex, sqlite.uniqueIndex)
export const primaryKey = either(pg.primaryKey, sqlite.primaryKey)
/** A table under a second name, for a query that looks at it twice. */
export const alias = either(pg.alias, sqlite.alias)

export const text = (name: string) => either(pg.text(name), sqlite.text(name))
export const integer = (name: string) => either(pg.integer(name), sqlite.integer(name))
export const boolean = (name: string) => either(pg.boolean(name), sqlite.integer(name, { mode: 'boolean' }))
export const bytes = (name: string) => either(bytea(name), blob(name))

/** Milliseconds are kept; the run-time value is a Date. */
export const timestamp = (name: string) =>
  either(
    pg.timestamp(name, { withTimezone: true, precision: 3, mode: 'date' }),
    sqlite.integer(name, { mode: 'timestamp_ms' }),
  )

/**
 * Stored as text on both, so that member order, numbers and escapes come back as they were written. `read` makes the value of
 * what is stored, wherever a row is read: an older version of the service may have written it, or a newer one beside this.
 */
export const json = <Value>(name: string, read: (stored: Value) => Value = (stored) => stored) =>
  either(postgresJson(name, read), sqliteJson(name, read))

/** Drizzle's own would parse a value that is a text a second time. */
function postgresJson<Value>(name: string, read: (stored: Value) => Value) {
  return pg.customType<{ data: Value; driverData: unknown }>({
    dataType: () => 'json',
    toDriver: (value) => JSON.stringify(value),
    // Boundary: what was written as a Value; what may be missing in it, `read` adds.
    fromDriver: (value) => read(value as Value),
  })(name)
}

function sqliteJson<Value>(name: string, read: (stored: Value) => Value) {
  return sqlite.customType<{ data: Value; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => read(JSON.parse(value)),
  })(name)
}

/** The calendar month of a timestamp in UTC. It compares equal for two timestamps of one month. */
export const monthOf = (column: Column): SQL =>
  either(sql`date_trunc('month', ${column} at time zone 'UTC')`, sql`strftime('%Y-%m', ${column} / 1000, 'unixepoch')`)

/** Where a row lies, to name those of a batch in tables of any key: a row that is changed meanwhile lies elsewhere on PostgreSQL. */
export const place = (of: pg.PgTable) => either(sql`${of}.ctid`, sql`${of}.rowid`)
export const liesIn = (of: pg.PgTable, places: SQLWrapper): SQL =>
  either(sql`${place(of)} = any(array(${places}))`, sql`${place(of)} in ${places}`)

/**
 * A value that is given when a prepared query runs. SQLite plans a query of several tables anew whenever a plain parameter
 * has another value, which takes ten times as long as the query (https://sqlite.org/qpsg.html, which the driver cannot
 * turn on); behind a plus it does not look. Where one table is asked it makes no difference (measured), so that every parameter
 * is written this way and nobody has to think of it.
 */
export const parameter = (value: Placeholder | Param): SQL => either(sql`${value}`, sql`+${value}`)

/** Of a prepared query: the column is one of a list of texts that is given when it runs. */
export function oneOf(column: Column, name: string): SQL {
  const list = sql.param(sql.placeholder(name), { mapToDriverValue: JSON.stringify })
  return either(
    sql`${column} = any(${sql.placeholder(name)})`,
    sql`${column} in (select value from json_each(${list}))`,
  )
}

/**
 * What is asked of a row besides its key, which alone leads to it. PostgreSQL has no index for `is not distinct from`, nor SQLite
 * one for what is behind a plus, which is the point: of a table that was small when a query was prepared, or has no statistics,
 * an index that begins with the tenant, or the state, is taken to be as good as the key, and all that the tenant has is read.
 */
export const inRow = (column: Column, value: SQLWrapper | string): SQL =>
  either(sql`${column} is not distinct from ${value}`, sql`+${column} = ${value}`)

/**
 * A condition on what is in rows that another column's index leads to. SQLite has no measured statistics, and would take the index of
 * this one as readily; PostgreSQL knows which leads to fewer rows.
 */
export const lookedAt = (condition: SQL): SQL => either(condition, sql`+${condition}`)
