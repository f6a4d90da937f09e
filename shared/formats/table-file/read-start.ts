import { csvRows } from './csv-rows.ts'
import { decodeText } from './decode-text.ts'
import { jsonRows } from './json-rows.ts'
import { portionOf, TableError, type TableFormat, type TablePortion, type TableRow } from './table.ts'

export interface TableStart {
  format: TableFormat
  /** Whether the bytes are the whole file. */
  isWhole: boolean
  maxRowBytes: number
}

/**
 * Reads the rows at the start of a table, in a browser too. The bytes are not compressed. Leaves out a row that is cut off. Throws
 * `TableError` for a file that is no table.
 */
export async function readStart(
  bytes: Uint8Array,
  { format, isWhole, maxRowBytes }: TableStart,
): Promise<TablePortion> {
  const reader = format === 'csv' ? csvRows({ maxRowBytes }) : jsonRows({ maxRowBytes })
  const rows: TableRow[] = []
  try {
    for await (const piece of decodeText(once(bytes))) rows.push(...(await reader.read(piece)))
  } catch (error) {
    // The last character can be cut off.
    const isCut = error instanceof TableError && error.code === 'invalid_encoding' && !isWhole && rows.length > 0
    if (!isCut) throw error
  }
  if (isWhole) rows.push(...(await reader.end()))
  return portionOf(reader, rows)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
