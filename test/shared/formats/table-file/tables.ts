import type { TableFormat, TableOptions, TablePortion, TableRow } from '../../../../shared/formats/table-file/table.ts'

export const options = (format: TableFormat = 'csv', more: Partial<TableOptions> = {}): TableOptions => ({
  ...{ format, maxBytes: 10_000_000, maxRows: 100_000, maxRowBytes: 65_536 },
  ...more,
})

/** The whole source as one chunk. */
export async function* whole(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === 'string' ? Buffer.from(content) : content
}

/** Cuts the content at random places, also into chunks of one byte. */
export async function* cut(content: Uint8Array, maxChunk: number, random: () => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; ) {
    const end = at + 1 + Math.floor(random() * maxChunk)
    yield content.subarray(at, end)
    at = end
  }
}

export interface Table {
  /** Of the first portion. */
  columns: string[]
  rows: TableRow[]
  portionSizes: number[]
}

export async function collect(portions: AsyncIterable<TablePortion>): Promise<Table> {
  const table: Table = { columns: [], rows: [], portionSizes: [] }
  for await (const { columns, rows } of portions) {
    if (table.rows.length === 0) table.columns = columns
    table.rows.push(...rows)
    table.portionSizes.push(rows.length)
  }
  return table
}

/** Returns the UTF-16 big endian encoding. */
export function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}
