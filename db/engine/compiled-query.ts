import { Column, getTableName, is, Param, Placeholder } from 'drizzle-orm'

/** The values of a query by the names of its parameters. */
export type Values = Record<string, unknown>

/** The properties of a query that Drizzle 0.45 has prepared. */
export interface DrizzleQuery {
  /** Absent if the query returns no rows. */
  fields?: Field[]
  /** False for each joined table that may have no row. Absent without joins. */
  joinsNotNullableMap?: Record<string, boolean>
}

interface Field {
  path: string[]
  field: unknown
}

interface Decoder {
  mapFromDriverValue(value: unknown): unknown
}

/**
 * Computes once which parameter takes which value. Drizzle computes it for each execution (measured on SQLite, a row of
 * 13 columns: 8 µs, this: 5.4 µs).
 */
export function compileParams(params: unknown[]): (values: Values) => unknown[] {
  const binders = params.map(binderOf)
  return (values) => binders.map((each) => each(values))
}

function binderOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => requireValue(values, param.name)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder } = param
  const { name } = param.value
  return (values) => encoder.mapToDriverValue(requireValue(values, name))
}

function requireValue(values: Values, name: string): unknown {
  const value = values[name]
  if (value === undefined) throw new Error(`the query was not given ${name}`)
  return value
}

/** Makes a reader of rows. With several tables, each table has an object in the row, which is null for an absent row. */
export function rowReader(fields: Field[], joinsNotNullableMap: DrizzleQuery['joinsNotNullableMap']) {
  const cells = fields.map(({ path: [name = '', inner], field }) => ({ name, inner, decoder: decoderOf(field) }))
  const optional = joinsNotNullableMap ? optionalObjects(fields, joinsNotNullableMap) : []
  return (row: unknown[]): unknown => {
    const result: Record<string, unknown> = {}
    for (const [position, { name, inner, decoder }] of cells.entries()) {
      const stored = row[position]
      const value = stored === null ? null : decoder.mapFromDriverValue(stored)
      if (inner === undefined) result[name] = value
      else objectIn(result, name)[inner] = value
    }
    for (const name of optional) if (Object.values(objectIn(result, name)).every(isNull)) result[name] = null
    return result
  }
}

function objectIn(row: Record<string, unknown>, name: string): Record<string, unknown> {
  row[name] ??= {}
  // Boundary: a name belongs to a column or to an object, never to both.
  return row[name] as Record<string, unknown>
}

function optionalObjects(fields: Field[], joinsNotNullableMap: Record<string, boolean>): Set<string> {
  const ofOptionalTables = fields.filter(
    ({ path, field }) => path.length === 2 && is(field, Column) && !joinsNotNullableMap[getTableName(field.table)],
  )
  return new Set(ofOptionalTables.map(({ path: [name = ''] }) => name))
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field
  // Boundary: other selected fields are SQL or aliased SQL.
  const expression = field as { decoder: Decoder } | { sql: { decoder: Decoder } }
  return 'sql' in expression ? expression.sql.decoder : expression.decoder
}

function isNull(value: unknown): boolean {
  return value === null
}
