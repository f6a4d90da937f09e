import { UsageError } from '../command.ts'
import { lineOfMember, type TenantFile } from './tenant-file.ts'

/** A wrong place in a file. */
export interface LocalFileFault {
  file: string
  /** The dotted path of the member. Absent for a fault of the whole file. */
  member?: string
  /** The number of the line, from 1. */
  line?: number
  message: string
}

/** The faults of files, one for each line of the message. */
export class FilesError extends UsageError {}

/** Throws a `FilesError` if there are faults, in the order of their files and lines. */
export function refuseFaults(faults: readonly LocalFileFault[]): void {
  if (faults.length === 0) return
  const inOrder = faults.toSorted((a, b) => compare(a.file, b.file) || compare(a.line ?? 0, b.line ?? 0))
  const lines = inOrder.map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`)
  throw new FilesError(lines.join('\n'))
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : Number(a > b)
}

/** Returns a fault of a member with its line. */
export function faultAt(file: TenantFile, member: string, message: string): LocalFileFault {
  const line = lineOfMember(file, member)
  return {
    file: file.file,
    ...(member !== '' && { member }),
    message: member === '' ? message : `${member}: ${message}`,
    ...(line !== undefined && { line }),
  }
}
