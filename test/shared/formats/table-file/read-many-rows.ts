import { gzipSync } from 'node:zlib'
import { readTableOnThread } from '../../../../shared/formats/table-file/read-table-on-thread.ts'

/** `node read-many-rows.ts ROWS FORMAT`: reads a file of so many rows and prints the peak memory of the process in bytes. */
const [rowCount, format] = [Number(process.argv[2]), process.argv[3] === 'jsonl' ? 'jsonl' : 'csv'] as const
const rowsPerChunk = 1_000

function rowOf(number: number): string {
  const cells = { id: String(number), name: 'Ada Lovelace', email: `ada${number}@example.org`, city: 'Köln; "Süd"' }
  if (format === 'jsonl') return `${JSON.stringify(cells)}\n`
  const { id, name, email, city } = cells
  return `${id};${name};${email};"${city.replaceAll('"', '""')}"\r\n`
}

/** The file is gzip, so that the parser and not the source limits the speed. */
async function* file() {
  if (format === 'csv') yield gzipSync('id;name;email;city\r\n')
  for (let first = 1; first <= rowCount; first += rowsPerChunk) {
    yield gzipSync(Array.from({ length: rowsPerChunk }, (_, at) => rowOf(first + at)).join(''))
  }
}

let peak = 0
let read = 0
const limits = { maxBytes: 1_000_000_000, maxRows: rowCount, maxRowBytes: 65_536 }
for await (const { rows } of readTableOnThread(file(), { format, ...limits })) {
  for (const { number, values, error } of rows) {
    read++
    if (error || number !== read || values.id !== String(number)) throw new Error(`row ${number} is wrong`)
  }
  peak = Math.max(peak, process.memoryUsage.rss())
}
if (read !== rowCount) throw new Error(`read ${read} rows`)
console.log(peak)
