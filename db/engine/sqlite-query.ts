import type { Statement } from 'better-sqlite3'
import { compileParams, type DrizzleQuery, rowReader, type Values } from './compiled-query.ts'

/** The properties of a query that Drizzle has prepared for better-sqlite3. */
export interface SqliteQuery extends DrizzleQuery {
  stmt: Statement
  query: { params: unknown[] }
}

/** Runs a query as Drizzle does, but computes once what does not depend on the values. */
export function compileSqlite({ stmt, query, fields, joinsNotNullableMap }: SqliteQuery): (values: Values) => unknown {
  const bind = compileParams(query.params)
  if (!fields) return (values) => stmt.run(bind(values))
  const rows = stmt.raw()
  const readRow = rowReader(fields, joinsNotNullableMap)
  // Boundary: in raw mode rows are arrays.
  return (values) => (rows.all(bind(values)) as unknown[][]).map(readRow)
}
