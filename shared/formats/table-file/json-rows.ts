import { findAmbiguities, isPlain } from '../lossless-json.ts'
import {
  maxColumns,
  maxNameLength,
  type RowError,
  type RowReader,
  TableError,
  type TableOptions,
  type TableRow,
} from './table.ts'

/** Reads JSON Lines: one object per line. */
export function jsonRows({ maxRowBytes }: Pick<TableOptions, 'maxRowBytes'>): RowReader {
  let count = 0
  let hasStarted = false
  /** The pieces of the current line. Undefined after the line has become too large. */
  let line: string[] | undefined = []
  let length = 0
  const names = createNames()

  function add(text: string): void {
    length += text.length
    if (length > maxRowBytes) line = undefined
    else line?.push(text)
  }

  function endLine(): TableRow[] {
    const text = line?.join('')
    line = []
    length = 0
    count++
    if (text === undefined || isLarger(text, maxRowBytes)) return [tooLarge(count, maxRowBytes)]
    if (text.trim() === '') return []
    const row = rowOf(text.trim(), count)
    names.add(row)
    return [row]
  }

  function requireJsonLines(piece: string): void {
    const start = piece.trimStart()
    if (hasStarted || start === '') return
    hasStarted = true
    if (!start.startsWith('{')) {
      const message = 'The file is not JSON Lines. Its first line must be a JSON object, such as {"name":"Ada"}.'
      throw new TableError('not_json_lines', message)
    }
  }

  return {
    columns: undefined,
    get count() {
      return count
    },
    async read(piece) {
      requireJsonLines(piece)
      const rows: TableRow[] = []
      let start = 0
      for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
        add(piece.slice(start, end))
        rows.push(...endLine())
        start = end + 1
      }
      add(piece.slice(start))
      return rows
    },
    async end() {
      return length > 0 ? endLine() : []
    },
  }
}

/** Whether a text has more bytes in UTF-8, where a unit of UTF-16 has at most 3. */
function isLarger(text: string, maxBytes: number): boolean {
  return 3 * text.length > maxBytes && new TextEncoder().encode(text).length > maxBytes
}

/** Collects the names of all members. Throws if there are too many, because each row is read for each name. */
function createNames() {
  const names = new Set<string>()
  return {
    add({ number, values }: TableRow): void {
      for (const name of Object.keys(values)) names.add(name)
      if (names.size <= maxColumns) return
      const message = `The objects have more than ${maxColumns} different members. Use the same members in all lines.`
      throw new TableError('too_many_columns', message, number)
    },
  }
}

function rowOf(text: string, number: number): TableRow {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return faulty(number, { code: 'invalid_json', message: 'The line is not valid JSON.' })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return faulty(number, { code: 'not_an_object', message: 'The line is not a JSON object.' })
  }
  const [ambiguity] = isPlain(text, value) ? [] : findAmbiguities(text)
  if (ambiguity) {
    return faulty(number, { code: 'invalid_json', message: `${ambiguity.param}: ${ambiguity.msg}.` })
  }
  const names = Object.keys(value)
  if (names.some((name) => name.length > maxNameLength)) {
    const message = `The object has a member with a name of more than ${maxNameLength} characters.`
    return faulty(number, { code: 'long_name', message })
  }
  if (names.length > maxColumns) {
    return faulty(number, { code: 'too_many_members', message: `The object has more than ${maxColumns} members.` })
  }
  return { number, values: Object.assign(Object.create(null), value) }
}

function tooLarge(number: number, maxRowBytes: number): TableRow {
  const message = `The line is larger than ${maxRowBytes.toLocaleString('en')} bytes.`
  return faulty(number, { code: 'row_too_large', message })
}

function faulty(number: number, error: RowError): TableRow {
  return { number, values: Object.create(null), error }
}
