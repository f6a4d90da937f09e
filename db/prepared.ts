import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from './client.ts'
import { parameter } from './columns.ts'

/**
 * Queries of the hot paths, built once per connection instead of once per call: building is some twenty times as dear as
 * running (measured on SQLite: 340 and 16 µs). What is not hot is written plainly.
 */

interface Preparable<Result> extends PromiseLike<Result> {
  prepare(name: string): { execute(values: Record<string, unknown>): Promise<Result> }
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

/** Makes a function that runs the query with values for its parameters. `name` is unique; PostgreSQL keeps the plan by it. */
export function prepared<Result>(name: string, build: (db: Writer) => Preparable<Result>) {
  const statements = new WeakMap<Reader, ReturnType<Preparable<Result>['prepare']>>()
  return async (db: Reader, values: Record<string, unknown>): Promise<Result> => {
    // Boundary: reads build no writes, and one builder serves both kinds of connection.
    const statement = statements.get(db) ?? build(db as Writer).prepare(name)
    statements.set(db, statement)
    return statement.execute(values)
  }
}

/** Rows per statement, largest first: many rows take few statements, and each size is built once. */
const sizes = [32, 8, 1]

/** Makes a function that inserts any number of whole rows (every column given), in their order. */
export function preparedInsert<Table extends PgTable>(name: string, table: Table, onConflict?: 'doNothing') {
  const columns: [string, PgColumn][] = Object.entries(getTableColumns(table))
  const statements = new Map(sizes.map((size) => [size, insertOf(size)]))

  function insertOf(size: number) {
    // The parameters' names are made once: a text that was just put together is slow to look up by.
    const cells = Array.from({ length: size }, (_, row) =>
      columns.map(([key, column]) => ({ key, column, name: `${row} ${key}` })),
    )
    const statement = prepared(`${name}_${size}`, (tx) => {
      const rows = cells.map((ofRow) =>
        Object.fromEntries(ofRow.map(({ key, column, name }) => [key, paramOf(column, name)])),
      )
      // Boundary: a placeholder for every column is a whole row.
      const insert = tx.insert(table).values(rows as unknown as Table['$inferInsert'][])
      return onConflict ? insert.onConflictDoNothing() : insert
    })
    return (tx: Writer, rows: Record<string, unknown>[]) => {
      const values: Record<string, unknown> = {}
      for (const [row, ofRow] of cells.entries()) {
        for (const { key, name } of ofRow) values[name] = rows[row]?.[key]
      }
      return statement(tx, values)
    }
  }

  return async (tx: Writer, rows: Table['$inferSelect'][]): Promise<void> => {
    for (let from = 0; from < rows.length; ) {
      const size = sizes.find((each) => each <= rows.length - from) ?? 1
      await statements.get(size)?.(tx, rows.slice(from, from + size))
      from += size
    }
  }
}
