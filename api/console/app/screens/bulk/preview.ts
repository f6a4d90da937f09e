import type { TablePortion } from '../../../../../shared/formats/table-file/table.ts'

/** The first rows of a file, which the browser reads before the upload. */
export interface Preview {
  columns: string[]
  rows: PreviewRow[]
}

export interface PreviewRow {
  /** The number of the row from 1, as the service counts the rows. */
  number: number
  cells: string[]
}

const maxBytes = 65_536
const maxRows = 20

/** Reads the first rows with the reader of the service. Returns undefined if the file is no table. The service checks the whole file. */
export async function previewOf(file: File): Promise<Preview | undefined> {
  const bytes = await startOf(file)
  const [{ readStart }, { formatOfName, TableError }] = await Promise.all([
    import('../../../../../shared/formats/table-file/read-start.ts'),
    import('../../../../../shared/formats/table-file/table.ts'),
  ])
  const isWhole = file.size <= maxBytes && bytes.length < maxBytes
  try {
    const start = await readStart(bytes, { format: formatOfName(file.name), isWhole, maxRowBytes: maxBytes })
    return start.columns.length > 0 ? shownOf(start) : undefined
  } catch (error) {
    if (error instanceof TableError) return undefined
    throw error
  }
}

async function startOf(file: File): Promise<Uint8Array> {
  const start = new Uint8Array(await file.slice(0, maxBytes).arrayBuffer())
  const isZipped = start[0] === 0x1f && start[1] === 0x8b
  return isZipped ? unzippedStart(new Blob([start])) : start
}

/** Unzips as much as there is. The end of the file is missing. */
async function unzippedStart(zipped: Blob): Promise<Uint8Array> {
  const reader = zipped.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const start = new Uint8Array(maxBytes)
  let length = 0
  try {
    while (length < maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      const taken = value.subarray(0, maxBytes - length)
      start.set(taken, length)
      length += taken.length
    }
    await reader.cancel()
  } catch {
    // The rest is not there.
  }
  return start.subarray(0, length)
}

function shownOf({ columns, rows }: TablePortion): Preview {
  const first = rows.slice(0, maxRows)
  return {
    columns,
    rows: first.map(({ number, values }) => ({ number, cells: columns.map((column) => textOf(values[column])) })),
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
