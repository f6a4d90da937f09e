export type TableFormat = 'csv' | 'jsonl'

/** Returns the format that the name of a file says. The content of a gzip file has the format of the name before `.gz`. */
export function formatOfName(fileName: string): TableFormat {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(fileName) ? 'jsonl' : 'csv'
}

export interface TableOptions {
  format: TableFormat
  /** The maximum size of the file, after decompression. */
  maxBytes: number
  /** Blank rows count too. */
  maxRows: number
  /** The maximum size of a row and of the header. The reader holds one row in memory. */
  maxRowBytes: number
  /** The number of the first row to return. The rows before it are read. */
  fromRow?: number
}

export type RowErrorCode =
  | 'too_few_cells'
  | 'too_many_cells'
  | 'invalid_quote'
  | 'invalid_character'
  | 'invalid_json'
  | 'not_an_object'
  | 'too_many_members'
  | 'long_name'
  | 'row_too_large'

/** An error of one row. The other rows are read. The message never contains a value of the row. */
export interface RowError {
  code: RowErrorCode
  message: string
  /** The column of the wrong cell. Absent if the error belongs to the row. */
  column?: string
}

export interface TableRow {
  /** The number of the row, from 1. The header has no number. A blank row has a number and is not returned. */
  number: number
  /** The values by column. CSV has strings only. It has no prototype, so each name is only a name. */
  values: Record<string, unknown>
  /** If present, `values` can be incomplete. */
  error?: RowError
}

/** A part of a table with at most `maxPortionRows` rows. For about 1 MB, or 50,000 rows, without a row to return, it has none. */
export interface TablePortion {
  /** The header of CSV. For JSON Lines, the names of all members in this portion, in the order of their first use. */
  columns: string[]
  rows: TableRow[]
  /** The number of the last row that was read, only in a portion without rows. It was blank, or before `fromRow`. */
  readTo?: number
}

/** Returns the number of the last row that was read for the portion. */
export function lastRowOf({ rows, readTo = 0 }: TablePortion): number {
  return rows.at(-1)?.number ?? readTo
}

/** Parses a text in pieces. Counts all rows, blank ones too. */
export interface RowReader {
  /** The header. Undefined before the reader knows it, and for JSON Lines. */
  readonly columns: string[] | undefined
  /** The number of rows so far. */
  readonly count: number
  /** Returns the rows that the piece completes, without blank ones. */
  read(piece: string): Promise<TableRow[]>
  /** Returns the rows at the end of the text. */
  end(): Promise<TableRow[]>
}

export function portionOf({ columns }: RowReader, rows: TableRow[]): TablePortion {
  return { columns: columns ?? [...new Set(rows.flatMap(({ values }) => Object.keys(values)))], rows }
}

export const maxPortionRows = 500

/** The maximum number of columns of a file, of members of an object in JSON Lines, and of different names in a file of JSON Lines. */
export const maxColumns = 1000

/** The maximum length of the name of a column or member, in characters. */
export const maxNameLength = 200

export type TableErrorCode =
  | 'not_csv'
  | 'not_json_lines'
  | 'invalid_gzip'
  | 'invalid_encoding'
  | 'empty_header'
  | 'doubled_header'
  | 'long_header'
  | 'too_many_columns'
  | 'too_large'
  | 'too_many_rows'
  | 'row_too_large'
  | 'open_quote'
  | 'no_rows'

/** Refuses the whole file. The message is a sentence for the person who made the file. */
export class TableError extends Error {
  override readonly name = 'TableError'
  readonly code: TableErrorCode
  /** The number of the row that is wrong, or 0 for the header. Absent if the error belongs to no row. */
  readonly row: number | undefined

  constructor(code: TableErrorCode, message: string, row?: number) {
    super(message)
    this.code = code
    this.row = row
  }
}
