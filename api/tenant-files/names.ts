import { fileKindOfPath, filePaths } from '../../shared/domain/tenancy/tenant-files.ts'
import type { Kind } from './kind.ts'
import { kinds } from './kinds.ts'

const kindsByName = new Map(kinds.map((kind) => [kind.name, kind]))

/** Finds the kind of a file by its path without the extension, and the names in the path. */
export function kindOfPath(path: string): { kind: Kind; names: string[] } | undefined {
  const found = fileKindOfPath(path)
  const kind = found && kindsByName.get(found.kind)
  return kind && { kind, names: found.names }
}

/** Returns how many names the path of a file has. */
export function namesIn({ name }: Kind): number {
  return filePaths[name].split('*').length - 1
}

/** Returns the path of a file. `names` are those of the folders of its owners and its own. */
export function pathOf({ name }: Kind, names: readonly string[]): string {
  let at = 0
  return filePaths[name].replace(/\*/g, () => names[at++] ?? '')
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

/** Gives out names. A name that is taken gets a number. */
export interface FreeNames {
  take(wanted: string): string
}

export function createFreeNames(taken: Iterable<string>): FreeNames {
  const used = new Set(taken)
  const numbers = new Map<string, number>()
  return {
    take(wanted) {
      let number = numbers.get(wanted) ?? 1
      let free = wanted
      while (used.has(free)) free = `${wanted}-${++number}`
      numbers.set(wanted, number)
      used.add(free)
      return free
    },
  }
}
