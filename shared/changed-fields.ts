import { isDeepStrictEqual } from 'node:util'

/** The names of the members of `after` that `before` has not, or has otherwise, in alphabetical order. */
export function changedFields(before: object, after: object): string[] {
  const old = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(old.get(name), value))
    .map(([name]) => name)
    .sort()
}
