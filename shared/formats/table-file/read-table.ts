import { csvRows } from './csv-rows.ts'
import { decodeText } from './decode-text.ts'
import { decompress } from './decompress.ts'
import { jsonRows } from './json-rows.ts'
import {
  maxPortionRows,
  portionOf,
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
  let hasRows = false
  let waiting: TableRow[] = []
  let rowsBefore = 0
  let work = 0
  return function* collect(rows: TableRow[], length: number, isEnd = false): Generator<TablePortion> {
    if (reader.count > maxRows) {
      const limit = maxRows.toLocaleString('en')
      const advice = 'Blank rows count too. Remove them, or split the file into several files.'
      throw new TableError('too_many_rows', `The file has more than ${limit} rows. ${advice}`)
    }
    hasRows ||= rows.length > 0
    if (isEnd && !hasRows) {
      throw new TableError('no_rows', 'The file has no rows. Add at least one row with values.')
    }
    for (const row of rows) {
      if (row.number < fromRow) continue
      waiting.push(row)
      if (waiting.length < maxPortionRows) continue
      yield portionOf(reader, waiting)
      waiting = []
      work = 0
    }
    work += length + (reader.count - rowsBefore) * workPerRow
    rowsBefore = reader.count
    if (work <= maxPortionWork && (!isEnd || waiting.length === 0)) return
    yield waiting.length > 0 ? portionOf(reader, waiting) : emptyPortion(reader)
    waiting = []
    work = 0
  }
}

/**
 * After this work a portion is returned, so that rows of any size take little memory, and the caller can stop a file without rows to return.
 * It is not a time, so that a file always has the same portions.
 */
const maxPortionWork = 1_000_000
/** A blank row costs as much as about 20 characters. */
const workPerRow = 20

function emptyPortion({ columns, count }: RowReader): TablePortion {
  return { columns: columns ?? [], rows: [], readTo: count }
}
