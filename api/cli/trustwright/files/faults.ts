import { UsageError } from '../command.ts'
import { lineOfMember, type TenantFile } from './tenant-file.ts'

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

/** Returns a fault of a member with its line. */
export function faultAt(file: TenantFile, member: string, message: string): FileFault {
  const line = lineOfMember(file, member)
  return {
    file: file.file,
    message: member === '' ? message : `${member}: ${message}`,
    ...(line !== undefined && { line }),
  }
}
