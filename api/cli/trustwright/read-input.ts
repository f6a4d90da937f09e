import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { type Terminal, UsageError } from './command.ts'

/** Returns the text of a file, or of standard input for `-`, without a byte order mark. Throws a `UsageError` if the file cannot be read. */
export async function readInput(file: string, terminal: Pick<Terminal, 'stdin'>): Promise<string> {
  return new TextDecoder().decode(await readBytes(file, terminal))
}

/** Returns the bytes of a file, or of standard input for `-`. Throws a `UsageError` if the file cannot be read. */
export async function readBytes(file: string, { stdin }: Pick<Terminal, 'stdin'>): Promise<Buffer> {
  if (file === '-') return buffer(stdin)
  try {
    return readFileSync(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Returns the ids in a text: one a line, or JSON objects with an `id`, one a line, as the commands print with `--json`. */
export function idsOf(content: string): string[] {
  const lines = content.split('\n').map((line) => line.trim())
  return lines.filter(Boolean).map((line) => (line.startsWith('{') ? idOfJson(line) : line))
}

function idOfJson(line: string): string {
  try {
    const { id } = JSON.parse(line)
    if (typeof id === 'string') return id
  } catch {
    // Not JSON.
  }
  throw new UsageError(`This line is not JSON with an id: ${line.slice(0, 80)}`)
}
