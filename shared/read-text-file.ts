import { readFileSync } from 'node:fs'

/** Reads a file in UTF-8 that people can have saved with another program, without the byte order mark that some programs add. */
export function readTextFile(file: string): string {
  return new TextDecoder().decode(readFileSync(file))
}
