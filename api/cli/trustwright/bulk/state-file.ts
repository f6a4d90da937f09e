import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../command.ts'
import { statOf } from './upload.ts'

/** The bulk issuance of an unfinished command, beside its results. */
interface Stored {
  id: string
  baseUrl: string
  file: string
  sizeBytes: number
  changedAt: string
}

export interface StateFile {
  /** The id of the bulk issuance of an earlier run. Throws a `UsageError` if it was for another file or another service. */
  read(): string | undefined
  write(id: string): void
}

const pathOf = (out: string) => `${out}.state`

/** Removes the state of a bulk issuance that has ended. */
export function removeState(out: string, id: string): void {
  if (readStored(pathOf(out))?.id === id) rmSync(pathOf(out))
}

export function stateFileOf(out: string, { baseUrl, file }: { baseUrl: string; file: string }): StateFile {
  const path = pathOf(out)
  return {
    read() {
      const stored = readStored(path)
      if (!stored) return undefined
      const identity = identityOf(file, baseUrl)
      if (Object.entries(identity).every(([name, value]) => Reflect.get(stored, name) === value)) return stored.id
      throw new UsageError(
        `${path} is of another upload: ${stored.file} at ${stored.baseUrl}. Continue it with "trustwright bulk run --resume ${stored.id} --out ${out}", or choose another --out.`,
      )
    },
    write: (id) => writeFileSync(path, `${JSON.stringify({ id, ...identityOf(file, baseUrl) }, null, 2)}\n`),
  }
}

/** A file that was changed is another file. */
function identityOf(file: string, baseUrl: string): Omit<Stored, 'id'> {
  const { size, mtime } = statOf(file)
  return { baseUrl, file: resolve(file), sizeBytes: size, changedAt: mtime.toISOString() }
}

function readStored(path: string): Stored | undefined {
  if (!existsSync(path)) return undefined
  try {
    const stored: Partial<Stored> = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof stored.id === 'string') return stored as Stored
  } catch {
    // The file is not JSON.
  }
  throw new UsageError(`${path} cannot be read. Delete it, or choose another --out.`)
}
