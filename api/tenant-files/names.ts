import { type FileKind, fileKindOfPath, filePaths } from '../../shared/domain/tenancy/tenant-files.ts'
import type { FileObject, Kind, Kinds } from './kind.ts'

/** Finds the kind of a file by its path without the extension, and the names in the path. */
export function kindOfPath(kinds: Kinds, path: string): { kind: Kind; names: string[] } | undefined {
  const fileKind = fileKindOfPath(path)
  const kind = fileKind && kinds.get(fileKind.kind)
  return kind && { kind, names: fileKind.names }
}

/** Returns how many names the path of a file has. */
export function namesIn({ name }: Kind): number {
  return filePaths[name].split('*').length - 1
}

/** Returns the path of a file. `names` are those of the folders of its owners and its own. */
export function pathOf(kind: FileKind, names: readonly string[]): string {
  let at = 0
  return filePaths[kind].replace(/\*/g, () => names[at++] ?? '')
}

/** Returns the path of the file of the object that contains the object of a file. */
export function ownerPathOf({ kind, names }: Pick<FileObject, 'kind' | 'names'>): string | undefined {
  return kind.parent && pathOf(kind.parent.kind, names)
}

/** Returns the id of the object that contains the object of a file. `ids` has the ids by path. */
export function ownerIdOf(
  file: Pick<FileObject, 'kind' | 'names'>,
  ids: ReadonlyMap<string, string>,
): string | undefined {
  return ids.get(ownerPathOf(file) ?? '')
}

/** Makes a name of a text: lower case, with hyphens instead of other characters. */
export function toName(text: unknown, otherwise: string): string {
  const plain = typeof text === 'string' ? text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '') : ''
  const made = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return made === '' ? otherwise.toLowerCase().replaceAll(' ', '-') : made
}

/** Returns a function that gives out names. A name that is taken gets a number. */
export function freeNames(taken: Iterable<string>): (name: string) => string {
  const used = new Set(taken)
  const numbers = new Map<string, number>()
  return (name) => {
    let number = numbers.get(name) ?? 1
    let free = name
    while (used.has(free)) free = `${name}-${++number}`
    numbers.set(name, number)
    used.add(free)
    return free
  }
}
