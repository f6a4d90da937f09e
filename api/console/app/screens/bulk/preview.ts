/** The first rows of a file, which the browser reads before the upload. */
export interface Preview {
  columns: string[]
  rows: string[][]
}

const maxBytes = 65_536
const maxRows = 20
const delimiters = [',', ';', '\t']

/** Reads the first rows. Returns undefined if the file is no table. The service checks the whole file. */
export async function previewOf(file: File): Promise<Preview | undefined> {
  const bytes = await startOf(file)
  const isWhole = bytes.length < maxBytes
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes, { stream: !isWhole })
  if (text.includes('\u0000') || /^\s*</.test(text)) return undefined
  const preview = isJson(file.name) ? ofJson(text, isWhole) : ofCsv(text, isWhole)
  return preview && preview.columns.length > 0 ? preview : undefined
}

/** The name decides, as in the service. */
export function isJson(name: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name)
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

function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return 'utf-8'
}

function ofJson(text: string, isWhole: boolean): Preview | undefined {
  const lines = text.split('\n')
  const objects = (isWhole ? lines : lines.slice(0, -1))
    .filter((line) => line.trim() !== '')
    .slice(0, maxRows)
    .map(objectOf)
  if (objects.every((each) => each === undefined)) return undefined
  const columns = [...new Set(objects.flatMap((each) => Object.keys(each ?? {})))]
  return { columns, rows: objects.map((each) => columns.map((column) => shown(each?.[column]))) }
}

function objectOf(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function ofCsv(text: string, isWhole: boolean): Preview | undefined {
  const all = rowsOf(text)
  // The last row can be cut off.
  const [header, ...rows] = isWhole || all.length < 2 ? all : all.slice(0, -1)
  if (!header) return undefined
  const columns = header.map((name) => name.trim().normalize('NFC'))
  return { columns, rows: rows.slice(0, maxRows) }
}

/** Splits CSV (RFC 4180) into rows of cells. Empty lines are left out. */
function rowsOf(text: string): string[][] {
  const delimiter = delimiterOf(text)
  const rows: string[][] = []
  let [cells, cell, isQuoted]: [string[], string, boolean] = [[], '', false]
  const endRow = () => {
    if (cells.length > 0 || cell !== '') rows.push([...cells, cell])
    ;[cells, cell] = [[], '']
  }
  for (let at = 0; at < text.length && rows.length <= maxRows + 1; at++) {
    const character = text[at]
    if (character === '"') {
      // A doubled quote within quotes is one quote.
      if (isQuoted && text[at + 1] === '"') cell += text[at++]
      else isQuoted = !isQuoted
    } else if (isQuoted) cell += character
    else if (character === delimiter) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n' || character === '\r') endRow()
    else cell += character
  }
  endRow()
  return rows
}

/** The delimiter that occurs most often in the header outside of quotes. */
function delimiterOf(text: string): string {
  const header = /^(?:"[^"]*"|[^"\r\n])*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? ''
  const counts = delimiters.map((each) => header.split(each).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}
