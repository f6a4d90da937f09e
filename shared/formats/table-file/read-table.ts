import { csvRows } from './csv-rows.ts'
import { decodeText } from './decode-text.ts'
import { decompress } from './decompress.ts'
import { jsonRows } from './json-rows.ts'
import {
  maxPortionRows,
  type RowReader,
  TableError,
  type TableOptions,
  type TablePortion,
  type TableRow,
} from './table.ts'

/**
 * Reads a table as a stream: CSV or JSON Lines, in UTF-8 or UTF-16, optionally with gzip. Memory is bounded by `maxRowBytes`, and time is
 * linear in the size. Throws `TableError` if the whole file is refused, also after it has returned portions.
 */
export async function* readTable(
  source: AsyncIterable<Uint8Array>,
  options: TableOptions,
): AsyncGenerator<TablePortion, void> {
  const reader = options.format === 'csv' ? csvRows(options) : jsonRows(options)
  const collect = portionsFrom(reader, options)
  try {
    for await (const piece of decodeText(decompress(source, options.maxBytes))) {
      yield* collect(await reader.read(piece), piece.length)
    }
    yield* collect(await reader.end(), 0, true)
  } catch (error) {
    if (!(error instanceof TableError) || error.code !== 'invalid_encoding' || reader.count === 0) throw error
    throw new TableError(error.code, `${error.message} The wrong bytes are after row ${reader.count}.`)
  }
}

/** Returns a function that groups rows into portions. A portion of large rows has fewer than `maxPortionRows` rows. */
function portionsFrom(reader: RowReader, { maxRows, fromRow = 1 }: TableOptions) {
  let rowCount = 0
  let waiting: TableRow[] = []
  let charactersRead = 0
  let skippedTo: number | undefined
  return function* collect(rows: TableRow[], length: number, isEnd = false): Generator<TablePortion> {
    rowCount += rows.length
    if (rowCount > maxRows) {
      const limit = maxRows.toLocaleString('en')
      throw new TableError('too_many_rows', `The file has more than ${limit} rows. Split it into several files.`)
    }
    if (isEnd && rowCount === 0) {
      throw new TableError('no_rows', 'The file has no rows. Add at least one row with values.')
    }
    for (const row of rows) {
      if (row.number < fromRow) {
        skippedTo = row.number
        continue
      }
      waiting.push(row)
      if (waiting.length < maxPortionRows) continue
      yield portionOf(reader, waiting)
      waiting = []
    }
    charactersRead += length
    if (waiting.length > 0 && (isEnd || charactersRead > maxPortionCharacters)) {
      yield portionOf(reader, waiting)
      waiting = []
      skippedTo = undefined
    } else if (skippedTo !== undefined && waiting.length === 0 && charactersRead > maxPortionCharacters) {
      yield { columns: reader.columns ?? [], rows: [], skippedTo }
      skippedTo = undefined
    }
    if (waiting.length === 0 && skippedTo === undefined) charactersRead = 0
  }
}

/** The size of a portion after which it is returned, so that rows of any size take little memory. */
const maxPortionCharacters = 1_000_000

function portionOf({ columns }: RowReader, rows: TableRow[]): TablePortion {
  return { columns: columns ?? [...new Set(rows.flatMap(({ values }) => Object.keys(values)))], rows }
}
