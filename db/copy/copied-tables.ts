import { type Column, getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { getTableConfig as configOfPostgres, PgTable } from 'drizzle-orm/pg-core'
import { getTableConfig as configOfSqlite, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../schema.ts'

/** The meaning of a column. Each database has its own type for it. */
export type ColumnKind = 'text' | 'json' | 'integer' | 'boolean' | 'bytes' | 'timestamp'

export interface CopiedColumn {
  name: string
  kind: ColumnKind
}

export interface CopiedTable {
  name: string
  columns: CopiedColumn[]
  /** The columns of the primary key, in their order. */
  key: CopiedColumn[]
}

/** Returns each table of the schema. A table that the schema gets is copied without a change here. */
export function copiedTables(): CopiedTable[] {
  return Object.values(schema)
    .filter((each) => is(each, Table))
    .map(copiedTable)
}

/** Throws for a table without a primary key, and for a column of an unknown type. */
function copiedTable(table: Table): CopiedTable {
  const name = getTableName(table)
  const ofColumn = (column: Column): CopiedColumn => ({ name: column.name, kind: kindOf(column) })
  const columns = Object.values(getTableColumns(table))
  const [composite] = is(table, PgTable)
    ? configOfPostgres(table).primaryKeys
    : // Boundary: a table is of one of the two databases.
      configOfSqlite(table as SQLiteTable).primaryKeys
  const key = composite?.columns ?? columns.filter(({ primary }) => primary)
  if (key.length === 0) throw new Error(`The table ${name} has no primary key, so it cannot be copied in portions.`)
  return { name, columns: columns.map(ofColumn), key: key.map(ofColumn) }
}

/** The kinds by the types of Drizzle. A custom type has a kind by its type in the database. */
const kinds: Record<string, ColumnKind> = {
  ...{ PgText: 'text', PgInteger: 'integer', PgBoolean: 'boolean', PgTimestamp: 'timestamp' },
  ...{ SQLiteText: 'text', SQLiteInteger: 'integer', SQLiteBoolean: 'boolean', SQLiteTimestamp: 'timestamp' },
  ...{ 'PgCustomColumn json': 'json', 'PgCustomColumn bytea': 'bytes' },
  ...{ 'SQLiteCustomColumn text': 'json', 'SQLiteCustomColumn blob': 'bytes' },
}

function kindOf(column: Column): ColumnKind {
  const { columnType, name } = column
  const type = columnType.endsWith('CustomColumn') ? `${columnType} ${column.getSQLType()}` : columnType
  const kind = kinds[type]
  if (!kind) throw new Error(`The column ${name} has the type ${type}, which db/copy cannot copy.`)
  return kind
}
