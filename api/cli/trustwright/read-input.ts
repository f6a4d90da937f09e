import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { terminalText } from './bulk/terminal-text.ts'
import { type Terminal, UsageError } from './command.ts'
import { isId } from './is-id.ts'

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

/** Returns the ids of a file: one a line, or JSON objects with an `id`, one a line, as the commands print with `--json`. */
export async function readIds(file: string, terminal: Pick<Terminal, 'stdin'>): Promise<string[]> {
  const content = await readInput(file, terminal)
  return content.split('\n').flatMap((text, at) => {
    const line = text.trim()
    if (line === '') return []
    const id = line.startsWith('{') ? idOfJson(line) : line
    if (id !== undefined && isId(id)) return [id]
    const source = file === '-' ? 'standard input' : file
    throw new UsageError(
      `Line ${at + 1} of ${source} is not an id, or JSON with an id: ${terminalText(line.slice(0, 80))}`,
    )
  })
}

function idOfJson(line: string): string | undefined {
  try {
    const { id } = JSON.parse(line)
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
