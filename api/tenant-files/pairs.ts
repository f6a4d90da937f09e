import { fileKindOfPath } from '../../shared/domain/tenancy/tenant-files.ts'
import type { FileObject, StoredObject } from './kind.ts'
import { ownerPathOf, pathOf } from './names.ts'

/** The objects of files. A file without an object is new. */
export type Pairs = ReadonlyMap<FileObject, StoredObject>

/**
 * Finds the object of each file: at its path, at its earlier path, or in the folder that its owner has. The result is the same before and
 * after the owner moved. Owners are before their objects in `files`.
 */
export function pairUp(files: readonly FileObject[], stored: ReadonlyMap<string, StoredObject>): Pairs {
  const pairs = new Map<FileObject, StoredObject>()
  const fileAt = new Map(files.map((file) => [file.path, file]))
  for (const file of files) {
    const owner = fileAt.get(ownerPathOf(file) ?? '')
    const places = placesOf(file, owner, owner && pairs.get(owner))
    const object = places.map((path) => stored.get(path)).find((each) => each !== undefined)
    if (object) pairs.set(file, object)
  }
  return pairs
}

/** Returns the paths that the object of a file can have, in the order of their priority. */
function placesOf(file: FileObject, owner: FileObject | undefined, storedOwner: StoredObject | undefined): string[] {
  const { kind, names, movedFrom } = file
  const inFolder = (names: readonly string[]) => pathOf(kind.name, storedOwner ? inFolderOf(storedOwner, names) : names)
  if (movedFrom === undefined) return [inFolder(names)]
  const earlierNames = fileKindOfPath(movedFrom)?.names ?? []
  const isFolderMoved = owner !== undefined && owner.movedFrom === ownerPathOf({ kind, names: earlierNames })
  return [inFolder(names), movedFrom, ...(isFolderMoved ? [inFolder(earlierNames)] : [])]
}

/** Returns the path of each object after the apply. An object without a file is in the folder that its owner has then. */
export function pathsAfter(pairs: Pairs, stored: Iterable<StoredObject>): Map<StoredObject, string> {
  const owners = new Map([...pairs].map(([file, { path }]) => [path, file]))
  const paths = new Map<StoredObject, string>()
  for (const object of stored) {
    const owner = owners.get(ownerPathOf(object) ?? '')
    paths.set(object, owner ? pathOf(object.kind.name, inFolderOf(owner, object.names)) : object.path)
  }
  for (const [{ path }, object] of pairs) paths.set(object, path)
  return paths
}

function inFolderOf(owner: { names: readonly string[] }, names: readonly string[]): string[] {
  return [...owner.names, ...names.slice(owner.names.length)]
}
