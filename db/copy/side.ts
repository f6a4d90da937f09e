import type { Dialect } from '../columns.ts'
import type { ColumnKind, CopiedColumn, CopiedTable } from './copied-tables.ts'

/**
 * A value of a row in the form that both databases share. A boolean is 0 or 1. A timestamp is in milliseconds. JSON is the text
 * as stored. An integer has at most 53 bits.
 */
export type CopiedValue = string | number | Buffer | null
export type CopiedRow = CopiedValue[]

/** How a database writes what differs between the two. */
export interface Syntax {
  /** Reads a column as a `CopiedValue`. */
  read(column: CopiedColumn): string
  /** A parameter of a statement, as a value of a column. Positions begin with 1. */
  parameter(kind: ColumnKind, position: number): string
  /** The bytes of a column. */
  size(column: CopiedColumn): string
}

/**
 * How a database is opened. `exclusive`: throws Misconfigured if another process uses the database. `snapshot`: the database is in use,
 * and all reads see its state at the first read. `shared`: the database is in use. SQLite cannot be opened like this.
 */
export type SideAccess = 'exclusive' | 'snapshot' | 'shared'

/** A database from which or to which rows are copied. It has one connection. */
export interface Side {
  dialect: Dialect
  /** The address without a password. */
  address: string
  syntax: Syntax
  query(statement: string, parameters?: readonly CopiedValue[]): Promise<CopiedRow[]>
  /** Keeps all other processes from writing to the tables of the source until `close`. A SQLite file must have been checked before. */
  lock(tables: readonly CopiedTable[]): Promise<void>
  /** Returns the times of the migrations that have run. Returns an empty list if there are none. */
  findMigrationTimes(): Promise<number[]>
  isUnfinishedCopy(): Promise<boolean>
  /** Begins a transaction that survives a power failure after `commit`. `close` discards it. */
  begin(): Promise<void>
  commit(): Promise<void>
  /** Inserts rows in the transaction that `begin` began. */
  insertRows(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>
  /** Inserts rows and runs `also` in one transaction. */
  insert(table: CopiedTable, rows: readonly CopiedRow[], also: Statement): Promise<void>
  /** Runs statements in one transaction that survives a power failure, together with all earlier ones. */
  commitDurably(statements: readonly Statement[]): Promise<void>
  /** Prepares the database for the service after all rows were inserted. */
  finish(): Promise<void>
  close(): Promise<void>
}

export interface Statement {
  text: string
  parameters: readonly CopiedValue[]
}

/** Quotes a name for both databases. */
export const quoted = (name: string): string => `"${name}"`

export const columnList = (columns: readonly CopiedColumn[]): string =>
  columns.map(({ name }) => quoted(name)).join(', ')
