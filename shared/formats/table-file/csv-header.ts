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

/** Refuses a text whose start shows that it is not CSV. */
export function requireCsv(start: string): void {
  const found = kinds.find(([pattern]) => pattern.test(start))
  if (!found) return
  throw new TableError('not_csv', `The file is not CSV. ${found[1]}`)
}

const kinds: [RegExp, string][] = [
  [/^\s*[{[]/, 'It is JSON. Convert it to CSV, or to JSON Lines with that format selected.'],
  [/^\s*</, 'It is XML or HTML. Save the table as CSV.'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them, so the file is of another kind.
  [/[\u0000-\u0008\u000e-\u001f]/, 'It contains control characters. Save the table as CSV.'],
]

/** Returns the names of the columns, without spaces around them. Refuses names that are empty or occur twice. */
export function checkHeader(cells: readonly string[]): string[] {
  if (cells.length > maxColumns) {
    throw new TableError('too_many_columns', `The header has more than ${maxColumns} columns. Remove some of them.`)
  }
  const columns = cells.map((cell) => cell.trim().normalize('NFC'))
  const empty = columns.indexOf('')
  if (empty >= 0) {
    throw new TableError('empty_header', `The header of column ${empty + 1} is empty. Give it a name, or remove it.`)
  }
  const long = columns.findIndex((name) => name.length > maxNameLength)
  if (long >= 0) {
    const message = `The header of column ${long + 1} has more than ${maxNameLength} characters. Shorten it.`
    throw new TableError('long_header', message)
  }
  const doubled = columns.find((name, at) => columns.indexOf(name) < at)
  if (doubled === undefined) return columns
  const shown = doubled.slice(0, maxShownName)
  throw new TableError('doubled_header', `The header "${shown}" occurs more than once. Give each column its own name.`)
}

const maxShownName = 100
