import { parse } from 'csv-parse'
import { isText } from '../lossless-json.ts'
import {
  type CsvColumn,
  type CsvHeader,
  checkHeader,
  findDelimiterLine,
  findHeaderEnd,
  guessDelimiter,
  requireCsv,
} from './csv-header.ts'
import { mayHaveQuotes, type Quotes, readQuotes } from './csv-quotes.ts'
import { type RowError, type RowReader, TableError, type TableOptions, type TableRow } from './table.ts'

type Limits = Pick<TableOptions, 'maxRowBytes'>

/** Reads CSV (RFC 4180) with `,`, `;` or tab, which is guessed from the header. A line such as `sep=|` before the header decides instead. */
export function csvRows(limits: Limits): RowReader {
  let head = ''
  const withoutBlankLines = blankLineRemoval(limits)
  let records: CsvRecords | undefined
  let delimiter: string | undefined
  let header: CsvHeader | undefined
  let count = 0

  function toRows(parsed: CsvRecord[]): TableRow[] {
    if (!header && parsed.length > 0) header = checkHeader(parsed.shift()?.cells ?? [])
    const currentHeader = header
    if (!currentHeader) return []
    return parsed.flatMap((record) => {
      count++
      return record.cells.every(isBlank) ? [] : [rowOf(record, currentHeader, count)]
    })
  }

  async function begin(line: string): Promise<TableRow[]> {
    requireCsv(line)
    records = csvRecords(delimiter ?? guessDelimiter(line), limits, () => (header ? count + 1 : 0))
    return toRows(await records.read(head))
  }

  return {
    get columns() {
      return header?.names
    },
    get count() {
      return count
    },
    async read(piece) {
      if (records) return toRows(await records.read(piece))
      head = withoutBlankLines(head + piece)
      const first = delimiter === undefined ? findDelimiterLine(head) : undefined
      if (first) {
        delimiter = first.delimiter
        head = withoutBlankLines(head.slice(first.length))
      }
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

/** Returns a function that removes the blank lines before the header. They are limited, because they have no number. */
function blankLineRemoval(limits: Limits): (text: string) => string {
  let removedCharacters = 0
  return (text) => {
    const rest = text.replace(leadingBlankLines, '')
    removedCharacters += text.length - rest.length
    if (removedCharacters > limits.maxRowBytes) throw tooManyBlankLines(limits)
    return rest
  }
}

const leadingBlankLines = /^(?:[ \t]*[\r\n])+/

const isBlank = (cell: string) => cell.trim() === ''

function rowOf(record: CsvRecord, header: CsvHeader, number: number): TableRow {
  const { cells } = record
  const values: Record<string, unknown> = Object.create(null)
  for (const { name, at } of header.columns) {
    if (at < cells.length) values[name] = cells[at]
  }
  const error = findError(record, header, number)
  return { number, values, ...(error && { error }) }
}

/** Throws if a column without a name has a value. */
function findError({ cells, wrongQuoteAt }: CsvRecord, header: CsvHeader, number: number): RowError | undefined {
  const { columns, width } = header
  if (wrongQuoteAt !== undefined) {
    const message = 'The row has a wrong quote. Put the cell in quotes, and double each quote in it.'
    return { code: 'invalid_quote', message, ...columnOf(columns.find(({ at }) => at === wrongQuoteAt)) }
  }
  const missing = columns.find(({ at }) => at >= cells.length)
  const extra = columns.length === cells.length ? undefined : findUnnamed(cells, header)
  if (missing || (extra !== undefined && extra >= width)) {
    const message = `The row has ${cells.length} cells, but the header has ${width}.`
    return { code: missing ? 'too_few_cells' : 'too_many_cells', message, ...columnOf(missing) }
  }
  if (extra !== undefined) throw unnamedColumn(extra, number)
  const wrong = columns.find(({ at }) => !isText(cells[at] ?? ''))
  if (!wrong) return undefined
  const message = `The cell of "${wrong.name}" contains U+0000. Remove this character.`
  return { code: 'invalid_character', message, column: wrong.name }
}

const columnOf = (column: CsvColumn | undefined) => (column ? { column: column.name } : {})

/** Returns the position of the last cell that has a value and is in no column with a name. */
function findUnnamed(cells: readonly string[], { columns }: CsvHeader): number | undefined {
  const named = new Set(columns.map(({ at }) => at))
  const position = cells.findLastIndex((cell, at) => !named.has(at) && !isBlank(cell))
  return position < 0 ? undefined : position
}

function unnamedColumn(at: number, row: number): TableError {
  const message = `The header of column ${at + 1} is empty, but row ${row} has a value there. Name the column, or remove it.`
  return new TableError('empty_header', message, row)
}

interface CsvRecord {
  /** The cells, without spaces around those that are not in quotes. */
  cells: string[]
  /** The position of the first cell with a quote that RFC 4180 does not allow. */
  wrongQuoteAt?: number
}

interface CsvRecords {
  read(text: string): Promise<CsvRecord[]>
  end(): Promise<CsvRecord[]>
}

/** Parses records with csv-parse. `nextRow` returns the number of the next row for errors, or 0 for the header. */
function csvRecords(delimiter: string, limits: Limits, nextRow: () => number): CsvRecords {
  let records: CsvRecord[] = []
  let bytesInRecord = 0
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: limits.maxRowBytes,
    relax_column_count: true,
    // A wrong quote does not open a quoted cell, so that it does not take the next rows with it. `readQuotes` finds it.
    relax_quotes: true,
    raw: true,
    on_record(output: unknown) {
      // Boundary: the types of csv-parse do not know the effect of `raw`.
      const { record, raw } = output as { record: string[]; raw: string }
      records.push(record.some(mayHaveQuotes) ? withoutSpaces(record, readQuotes(raw, delimiter)) : { cells: record })
      return null
    },
  })
  // `settle` rejects with the error.
  parser.on('error', () => {})

  function take(): CsvRecord[] {
    const taken = records
    records = []
    return taken
  }

  /** Resolves after the parser has called back. */
  function settle(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error | null) =>
        error ? reject(toTableError(error, limits, nextRow() + records.length)) : resolve()
      withoutStacks(() => start(done))
    })
  }

  return {
    async read(text) {
      await settle((done) => parser.write(text, done))
      // The parser does not count empty cells in `max_record_size`.
      bytesInRecord = records.length > 0 ? 0 : bytesInRecord + text.length
      if (bytesInRecord > limits.maxRowBytes) throw tooLarge(nextRow(), limits)
      return take()
    },
    async end() {
      await settle((done) => parser.end(done))
      return take()
    },
  }
}

/** csv-parse creates an error for each row whose number of cells differs from the first. Its stack costs three times as much as the row. */
function withoutStacks(parseText: () => void): void {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    parseText()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
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

function tooManyBlankLines({ maxRowBytes }: Limits): TableError {
  const message = `More than ${maxRowBytes.toLocaleString('en')} bytes of blank lines are before the header. Remove them.`
  return new TableError('row_too_large', message, 0)
}

function nameOf(row: number): string {
  return row === 0 ? 'The header' : `Row ${row}`
}

function withoutSpaces(cells: string[], { isQuoted, wrongQuoteAt }: Quotes): CsvRecord {
  if (wrongQuoteAt !== undefined) return { cells, wrongQuoteAt }
  return { cells: cells.map((cell, at) => (isQuoted[at] ? cell : cell.trim())) }
}
