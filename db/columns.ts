import { type Column, type Param, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { settingValue } from '../shared/settings/secret-files.ts'

export type Dialect = 'sqlite' | 'postgres'

/**
 * The dialect of `DATABASE_URL`. Tables and queries use the builders of this file, which select the dialect at start.
 * The type checker sees each table as a PostgreSQL table. The run-time values (Date, JSON, boolean, Buffer, string,
 * number) are the same on both, which `test/db/columns.test.ts` checks.
 */
export const dialect: Dialect = settingValue('DATABASE_URL', process.env)?.startsWith('postgres')
  ? 'postgres'
  : 'sqlite'

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
/** Gives a table a second name, for a query that reads it twice. */
export const alias = either(pg.alias, sqlite.alias)

export const text = (name: string) => either(pg.text(name), sqlite.text(name))
export const integer = (name: string) => either(pg.integer(name), sqlite.integer(name))
export const boolean = (name: string) => either(pg.boolean(name), sqlite.integer(name, { mode: 'boolean' }))
export const bytes = (name: string) => either(bytea(name), blob(name))

/** Has millisecond precision. The run-time value is a Date. */
export const timestamp = (name: string) =>
  either(
    pg.timestamp(name, { withTimezone: true, precision: 3, mode: 'date' }),
    sqlite.integer(name, { mode: 'timestamp_ms' }),
  )

/**
 * Stores JSON as text on both databases, so that member order, numbers and escapes stay as written. `read` converts the
 * stored value of each row, because an older or a newer version of the service may have written it.
 */
export const json = <Value>(name: string, read: (stored: Value) => Value = (stored) => stored) =>
  either(postgresJson(name, read), sqliteJson(name, read))

/** Drizzle's own type would parse a string value a second time. */
function postgresJson<Value>(name: string, read: (stored: Value) => Value) {
  return pg.customType<{ data: Value; driverData: unknown }>({
    dataType: () => 'json',
    toDriver: (value) => JSON.stringify(value),
    // Boundary: the column was written as a Value. `read` adds missing members.
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

/**
 * A text in lower case, for indexes and for searches by its beginning. SQLite changes ASCII letters only. The collation makes the
 * characters of texts compare one by one.
 */
export const folded = (value: SQLWrapper): SQL => either(sql`lower(${value}) collate "C"`, sql`lower(${value})`)

/** A text in lower case for a comparison with `folded`. */
export const foldedText = (value: string): SQL => either(sql`lower(${value}::text)`, sql`lower(${value})`)

/** Finds the texts that begin with `start`, in any case of letters. An index of the folded column finds them. */
export const beginsWith = (column: SQLWrapper, start: string): SQL =>
  sql`${folded(column)} >= ${foldedText(start)} and ${folded(column)} < ${foldedText(start)} || ${highest}`

/** Sorts after all characters. */
const highest = '\u{10ffff}'

/** The calendar month of a timestamp in UTC. The values of two timestamps in the same month are equal. */
export const monthOf = (column: Column): SQL =>
  either(sql`date_trunc('month', ${column} at time zone 'UTC')`, sql`strftime('%Y-%m', ${column} / 1000, 'unixepoch')`)

/**
 * The location of a row, which identifies the rows of a batch in a table with any key: the physical location, which an update changes on
 * PostgreSQL, or on SQLite the columns of a key with several columns. A table `WITHOUT ROWID` has no physical location.
 */
export const rowLocation = (of: pg.PgTable): SQL => (dialect === 'postgres' ? sql`${of}.ctid` : keyOrRowid(of))
export const hasLocation = (of: pg.PgTable, locations: SQLWrapper): SQL =>
  either(sql`${rowLocation(of)} = any(array(${locations}))`, sql`(${rowLocation(of)}) in ${locations}`)

function keyOrRowid(of: pg.PgTable): SQL {
  // Boundary: the type checker sees each table as a PostgreSQL table.
  const [key] = sqlite.getTableConfig(of as unknown as sqlite.SQLiteTable).primaryKeys
  return key ? sql.join(key.columns, sql`, `) : sql`${of}.rowid`
}

/**
 * A value that is passed when a prepared query runs. SQLite plans a query of several tables again if the value of a
 * plain parameter changes. Planning takes ten times as long as the query. The driver cannot enable the setting that
 * prevents it (https://sqlite.org/qpsg.html). A plus before the parameter prevents it too. For queries of one table it
 * makes no difference (measured), so each parameter is written this way.
 */
export const parameter = (value: Placeholder | Param): SQL => either(sql`${value}`, sql`+${value}`)

/** Matches a column of a prepared query against a list of strings that is passed when the query runs. */
export function oneOf(column: Column, name: string): SQL {
  const list = sql.param(sql.placeholder(name), { mapToDriverValue: JSON.stringify })
  return either(
    sql`${column} = any(${sql.placeholder(name)})`,
    sql`${column} in (select value from json_each(${list}))`,
  )
}

/**
 * A condition on a row that its key alone must find. PostgreSQL has no index for `is not distinct from`, and SQLite has
 * none for a column after a plus. Without this, the planner may use an index that begins with the tenant or the state,
 * and read all rows of the tenant. It does so for a table without statistics, or that was small when the query was
 * prepared.
 */
export const inRow = (column: Column, value: SQLWrapper | string): SQL =>
  either(sql`${column} is not distinct from ${value}`, sql`+${column} = ${value}`)

/**
 * Keeps SQLite from using an index for a condition, because an index of another column finds fewer rows. SQLite has no
 * statistics and could choose wrongly. PostgreSQL chooses from its statistics.
 */
export const withoutIndex = (condition: SQL): SQL => either(condition, sql`+${condition}`)
