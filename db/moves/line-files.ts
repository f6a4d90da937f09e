import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { Misconfigured } from '../../shared/process/dependency.ts'

const newLine = 0x0a
/** An export has no longer lines. A portion has at most 8 MB, or one row. */
const maxLineBytes = 512 * 1_024 * 1_024

/** Yields the lines of a file. Reads a line when it is requested, so that memory is bounded by a line. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let [parts, bytes]: [Buffer[], number] = [[], 0]
  for await (const chunk of createReadStream(file, { highWaterMark: 1_024 * 1_024 })) {
    let rest: Buffer = chunk
    for (let end = rest.indexOf(newLine); end >= 0; end = rest.indexOf(newLine)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]).toString()
      ;[parts, bytes] = [[], 0]
      rest = rest.subarray(end + 1)
    }
    parts.push(rest)
    bytes += rest.length
    if (bytes > maxLineBytes) throw new Misconfigured(`${file} is not an export of a tenant.`)
  }
  if (bytes > 0) yield Buffer.concat(parts).toString()
}

/** A file that gets its name when it is complete. Until then its name ends with `.part`. */
export interface NewFile {
  writeLine(line: string): Promise<void>
  /** Waits for the disk, and gives the file its name. */
  complete(): Promise<void>
  close(): Promise<void>
}

/** Creates a file that only its owner can read. Replaces a part of an earlier run. */
export async function createFile(path: string): Promise<NewFile> {
  const part = `${path}.part`
  const file: FileHandle = await open(part, 'w', 0o600)
  return {
    writeLine: async (line) => void (await file.writeFile(`${line}\n`)),
    async complete() {
      await file.sync()
      await rename(part, path)
    },
    close: () => file.close(),
  }
}
