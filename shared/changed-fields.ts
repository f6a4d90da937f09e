import { isDeepStrictEqual } from 'node:util'

/** Returns the names of the members of `after` that are missing or different in `before`, in alphabetical order. */
export function changedFieldNames(before: object, after: object): string[] {
  const old = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(old.get(name), value))
    .map(([name]) => name)
    .sort()
}
