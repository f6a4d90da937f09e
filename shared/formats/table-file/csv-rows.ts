import { parse } from 'csv-parse'
import { isText } from '../lossless-json.ts'
import { checkHeader, findHeaderEnd, guessDelimiter, requireCsv } from './csv-header.ts'
import { type RowError, type RowReader, TableError, type TableOptions, type TableRow } from './table.ts'

type Limits = Pick<TableOptions, 'maxRowBytes'>

/** Reads CSV (RFC 4180) with `,`, `;` or tab, which is guessed from the header. */
export function csvRows(limits: Limits): RowReader {
  let head = ''
  let records: CsvRecords | undefined
  let columns: string[] | undefined
  let count = 0

  function toRows(found: CsvRecord[]): TableRow[] {
    if (!columns && found.length > 0) columns = checkHeader(found.shift()?.cells ?? [])
    return found.flatMap((record) => {
      count++
      return record.cells.every((cell) => cell.trim() === '') ? [] : [rowOf(record, columns ?? [], count)]
    })
  }

  async function begin(header: string): Promise<TableRow[]> {
    requireCsv(header)
    records = csvRecords(guessDelimiter(header), limits, () => (columns ? count + 1 : 0))
    return toRows(await records.read(head))
  }

  return {
    get columns() {
      return columns
    },
    get count() {
      return count
    },
    async read(piece) {
      if (records) return toRows(await records.read(piece))
      head = (head + piece).replace(leadingBlankLines, '')
      const end = findHeaderEnd(head)
      if (end !== undefined) return begin(head.slice(0, end))
      if (head.length > limits.maxRowBytes) throw tooLarge(0, limits)
      return []
    },
    async end() {
      const rows = records ? [] : await begin(head)
      return [...rows, ...toRows((await records?.end()) ?? [])]
    },
  }
}

const leadingBlankLines = /^(?:[ \t]*[\r\n])+/

function rowOf({ cells, isWellQuoted }: CsvRecord, columns: string[], number: number): TableRow {
  const values: Record<string, unknown> = Object.create(null)
  for (const [at, name] of columns.entries()) {
    if (at < cells.length) values[name] = cells[at]
  }
  const error = findError(cells, isWellQuoted, columns)
  return { number, values, ...(error && { error }) }
}

function findError(cells: string[], isWellQuoted: boolean, columns: string[]): RowError | undefined {
  if (!isWellQuoted) {
    const message = 'The row has a wrong quote. Put the cell in quotes, and double each quote in it.'
    return { code: 'invalid_quote', message }
  }
  if (cells.length !== columns.length) {
    const code = cells.length < columns.length ? 'too_few_cells' : 'too_many_cells'
    return { code, message: `The row has ${cells.length} cells, but the header has ${columns.length}.` }
  }
  const wrong = columns.find((_, at) => !isText(cells[at] ?? ''))
  if (wrong === undefined) return undefined
  return { code: 'invalid_character', message: `The cell of "${wrong}" contains U+0000. Remove this character.` }
}

interface CsvRecord {
  cells: string[]
  /** Whether each quote of the record is allowed by RFC 4180. */
  isWellQuoted: boolean
}

interface CsvRecords {
  read(text: string): Promise<CsvRecord[]>
  end(): Promise<CsvRecord[]>
}

/** Parses records with csv-parse. `nextRow` returns the number of the next row for errors, or 0 for the header. */
function csvRecords(delimiter: string, limits: Limits, nextRow: () => number): CsvRecords {
  let found: CsvRecord[] = []
  let bytesInRecord = 0
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: limits.maxRowBytes,
    relax_column_count: true,
    // A wrong quote does not open a quoted cell, so that it does not take the next rows with it. `isWellQuoted` finds it.
    relax_quotes: true,
    raw: true,
    on_record(given: unknown) {
      // Boundary: the types of csv-parse do not know the effect of `raw`.
      const { record, raw } = given as { record: string[]; raw: string }
      const isWellQuoted = !record.some((cell) => cell.includes('"')) || hasOnlyRfcQuotes(raw, delimiter)
      found.push({ cells: record, isWellQuoted })
      return null
    },
  })
  // `settle` rejects with the error.
  parser.on('error', () => {})

  function take(): CsvRecord[] {
    const taken = found
    found = []
    return taken
  }

  /** Resolves after the parser has called back. */
  function settle(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      start((error) => (error ? reject(toTableError(error, limits, nextRow() + found.length)) : resolve()))
    })
  }

  return {
    async read(text) {
      await settle((done) => parser.write(text, done))
      // The parser does not count empty cells in `max_record_size`.
      bytesInRecord = found.length > 0 ? 0 : bytesInRecord + text.length
      if (bytesInRecord > limits.maxRowBytes) throw tooLarge(nextRow(), limits)
      return take()
    },
    async end() {
      await settle((done) => parser.end(done))
      return take()
    },
  }
}

function toTableError(error: Error, limits: Limits, row: number): Error {
  const code = 'code' in error ? error.code : undefined
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLarge(row, limits)
  if (code !== 'CSV_QUOTE_NOT_CLOSED') return error
  return new TableError('open_quote', `${nameOf(row)} has a quote without its end. Close it, or double it.`, row)
}

function tooLarge(row: number, { maxRowBytes }: Limits): TableError {
  const message = `${nameOf(row)} is larger than ${maxRowBytes.toLocaleString('en')} bytes`
  return new TableError('row_too_large', `${message}. Check for a quote without its end.`, row)
}

function nameOf(row: number): string {
  return row === 0 ? 'The header' : `Row ${row}`
}

/** Whether quotes occur only around cells, or doubled in them (RFC 4180, section 2). `raw` can end with a line break. */
function hasOnlyRfcQuotes(raw: string, delimiter: string): boolean {
  const text = raw.replace(/[\r\n]$/, '')
  for (let at = 0; at <= text.length; ) {
    const end = text[at] === '"' ? findClosingQuote(text, at) + 1 : text.indexOf(delimiter, at)
    const cellEnd = end < 0 ? text.length : end
    if (text[at] === '"') {
      if (end === 0 || (end < text.length && text[end] !== delimiter)) return false
    } else if (text.slice(at, cellEnd).includes('"')) return false
    at = cellEnd + 1
  }
  return true
}

/** Returns the position of the quote that closes the cell at `start`, or -1. */
function findClosingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}
