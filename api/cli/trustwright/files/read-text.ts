import { readFileSync } from 'node:fs'
import { UsageError } from '../command.ts'

// It leaves out a byte order mark (RFC 8259, section 8.1).
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a file in UTF-8. Throws a `UsageError` if it cannot be read, or is not UTF-8. */
export function readText(file: string): string {
  const read = tryReadText(file)
  if ('fault' in read) throw new UsageError(`${file}: ${read.fault}`)
  return read.text
}

/** Reads a file in UTF-8, or returns why this is not possible. */
export function tryReadText(file: string): { text: string } | { fault: string } {
  try {
    return { text: utf8.decode(readFileSync(file)) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { fault: 'Not UTF-8. Save the file in UTF-8.' }
    return { fault: `Cannot be read: ${message}` }
  }
}
