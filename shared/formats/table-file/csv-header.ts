import { maxColumns, maxNameLength, TableError } from './table.ts'

const delimiters = [',', ';', '\t']

/**
 * Finds the end of the header: the first line break outside of quotes. Returns undefined if the header continues.
 */
export function findHeaderEnd(text: string): number | undefined {
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) return at
  }
  return undefined
}

/** Returns the delimiter that occurs most often outside of quotes. A header of one column has none, so the comma is returned. */
export function guessDelimiter(header: string): string {
  const counts = new Map(delimiters.map((each) => [each, 0]))
  let isQuoted = false
  for (const character of header) {
    if (character === '"') isQuoted = !isQuoted
    const count = counts.get(character)
    if (!isQuoted && count !== undefined) counts.set(character, count + 1)
  }
  const [[best] = [',']] = [...counts].sort(([, left], [, right]) => right - left)
  return best
}

/**
 * Finds the line before the header with which spreadsheets name the delimiter: `sep=;`. Returns the delimiter and the length of the line with
 * its line break.
 */
export function findDelimiterLine(text: string): { delimiter: string; length: number } | undefined {
  const [line, delimiter] = /^"?sep=([,;|\t])"?[,;|\t ]*(?:\r\n|\n|\r)/i.exec(text) ?? []
  return line === undefined || delimiter === undefined ? undefined : { delimiter, length: line.length }
}

/** Refuses a text whose start shows that it is not CSV. */
export function requireCsv(start: string): void {
  const kind = kinds.find(([pattern]) => pattern.test(start))
  if (!kind) return
  throw new TableError('not_csv', `The file is not CSV. ${kind[1]}`)
}

const kinds: [RegExp, string][] = [
  [/^\s*[{[]/, 'It is JSON. Convert it to CSV, or to JSON Lines with that format selected.'],
  [/^\s*</, 'It is XML or HTML. Save the table as CSV.'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them, so the file is of another kind.
  [/[\u0000-\u0008\u000e-\u001f]/, 'It contains control characters. Save the table as CSV.'],
]

/** A column with a name. `at` is its position in a row, from 0. */
export interface CsvColumn {
  name: string
  at: number
}

/** The columns with a name, and the number of all columns. */
export interface CsvHeader {
  columns: CsvColumn[]
  names: string[]
  width: number
}

/**
 * Reads a header, without spaces around the names. Spreadsheets write columns without a name beside a table. Refuses a header without names,
 * and names that occur twice.
 */
export function checkHeader(cells: readonly string[]): CsvHeader {
  const columns = cells
    .map((cell, at) => ({ name: cell.trim().normalize('NFC'), at }))
    .filter(({ name }) => name !== '')
  if (columns.length === 0) {
    throw new TableError('empty_header', 'No column of the header has a name. Name the columns in the first row.')
  }
  if (columns.length > maxColumns) {
    throw new TableError('too_many_columns', `The header has more than ${maxColumns} columns. Remove some of them.`)
  }
  const long = columns.find(({ name }) => name.length > maxNameLength)
  if (long) {
    const message = `The header of column ${long.at + 1} has more than ${maxNameLength} characters. Shorten it.`
    throw new TableError('long_header', message)
  }
  const names = new Set<string>()
  for (const { name } of columns) {
    if (names.has(name)) throw duplicateHeader(name)
    names.add(name)
  }
  return { columns, names: [...names], width: cells.length }
}

const maxShownName = 100

function duplicateHeader(name: string): TableError {
  const excerpt = name.slice(0, maxShownName)
  return new TableError(
    'doubled_header',
    `The header "${excerpt}" occurs more than once. Give each column its own name.`,
  )
}
