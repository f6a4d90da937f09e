import { UsageError } from '../command.ts'

/** A wrong place in a file. */
export interface FileFault {
  file: string
  /** From 1. */
  line?: number
  message: string
}

/** The faults of files, one for each line of the message. */
export class FilesError extends UsageError {}

export function refuseFaults(faults: readonly FileFault[]): void {
  if (faults.length === 0) return
  const lines = faults.map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`)
  throw new FilesError(lines.join('\n'))
}
