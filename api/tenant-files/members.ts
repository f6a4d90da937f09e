import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../shared/formats/json-object.ts'

/**
 * The members of an object as its file has them, in which all objects are compared: `{"$ref": "PATH"}` instead of ids, and a mask
 * instead of the secret. The view of an object, which REST shows, has the same type.
 */
export type Content = Record<string, unknown>

/** Reads own members only: the name of a member in a file can be that of an inherited one. */
export function valueAt(content: unknown, path: string): unknown {
  const { owner, name } = placeOf(content, path)
  return hasOwn(owner, name) ? Reflect.get(owner, name) : undefined
}

export function setAt(content: Content, path: string, value: unknown): void {
  const { owner, name } = placeOf(content, path)
  if (hasOwn(owner, name)) Reflect.set(owner, name, value)
}

/** Removes a member, or an item of a list. */
export function removeAt(content: Content, path: string): void {
  const { owner, name } = placeOf(content, path)
  if (Array.isArray(owner)) owner.splice(Number(name), 1)
  else if (hasOwn(owner, name)) Reflect.deleteProperty(owner, name)
}

/** The last name can have dots, such as a scope: the owner has a member of this name. */
function placeOf(owner: unknown, path: string): { owner: unknown; name: string } {
  const dot = path.indexOf('.')
  if (dot === -1 || hasOwn(owner, path)) return { owner, name: path }
  const first = path.slice(0, dot)
  return placeOf(hasOwn(owner, first) ? Reflect.get(owner, first) : undefined, path.slice(dot + 1))
}

/** Whether the value is an object or a list with this member or item. */
function hasOwn(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
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
    if (isJsonObject(before) && isJsonObject(after)) return changedFields(before, after, `${path}.`)
    return [{ path, ...(before !== undefined && { from: before }), ...(after !== undefined && { to: after }) }]
  })
}
