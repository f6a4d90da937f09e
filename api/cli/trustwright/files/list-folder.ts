import { readdirSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { UsageError } from '../command.ts'
import type { LocalFileFault } from './faults.ts'

/** A file in a folder or below it. */
export interface ListedFile {
  /** The name in the folder, with `/` between its parts. */
  name: string
  /** The path without links. */
  realPath: string
}

export interface Listing {
  files: ListedFile[]
  faults: LocalFileFault[]
}

/**
 * Lists the files of a folder in the order of their names. Follows symbolic links to files and folders inside of it. All other links
 * are faults. Names that begin with a dot are left out. Throws a `UsageError` if a folder cannot be read.
 */
export function listFolder(folder: string): Listing {
  const listing: Listing = { files: [], faults: [] }
  const root = readable(folder, () => realpathSync(folder))
  listInto(listing, root, '', [root])
  listing.files.sort((a, b) => (a.name < b.name ? -1 : 1))
  return listing
}

/** Adds the files of a folder. `parents` are the paths of the folder and of those that contain it, without links. The root is first. */
function listInto(listing: Listing, folder: string, prefix: string, parents: readonly string[]): void {
  for (const entry of readable(folder, () => readdirSync(folder))) {
    if (entry.startsWith('.')) continue
    const name = prefix + entry
    const item = find(join(folder, entry), parents)
    if ('message' in item) listing.faults.push({ file: name, message: item.message })
    else if (item.isFolder) listInto(listing, item.realPath, `${name}/`, [...parents, item.realPath])
    else listing.files.push({ name, realPath: item.realPath })
  }
}

/** Finds where an entry leads. Returns the message of its fault if it cannot be read. */
function find(path: string, parents: readonly string[]): { realPath: string; isFolder: boolean } | { message: string } {
  const [root = ''] = parents
  const realPath = resolve(path)
  if (realPath === undefined) return { message: 'The symbolic link leads to nothing' }
  if (!isInside(realPath, root)) return { message: 'The symbolic link leads out of the folder' }
  if (parents.includes(realPath)) return { message: 'The symbolic link leads to a folder that contains it' }
  const status = statSync(realPath)
  if (!status.isFile() && !status.isDirectory()) return { message: 'Must be a file or a folder' }
  return { realPath, isFolder: status.isDirectory() }
}

function resolve(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function readable<Result>(folder: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new UsageError(`${folder} cannot be read: ${(error as Error).message}`)
  }
}
