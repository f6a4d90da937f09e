import { isDeepStrictEqual } from 'node:util'
import type { Content } from './kind.ts'

export function valueAt(content: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (isParent(value) ? Reflect.get(value, name) : undefined), content)
}

export function setAt(content: Content, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const owner = names.length === 0 ? content : valueAt(content, names.join('.'))
  if (isParent(owner) && last in owner) Reflect.set(owner, last, value)
}

/** Whether the value can have members or items. */
function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export function isObject(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that differs. `from` is absent for a new member, `to` for a removed one. */
export interface ChangedField {
  path: string
  from?: unknown
  to?: unknown
}

/** Returns the members that differ. A list is compared as a whole. */
export function changedFields(from: Content, to: Content, prefix = ''): ChangedField[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort()
  return names.flatMap((name): ChangedField[] => {
    const [before, after, path] = [from[name], to[name], prefix + name]
    if (isDeepStrictEqual(before, after)) return []
    if (isObject(before) && isObject(after)) return changedFields(before, after, `${path}.`)
    return [{ path, ...(before !== undefined && { from: before }), ...(after !== undefined && { to: after }) }]
  })
}
