import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { findUnknownMembers } from '../http/ignored.ts'
import { dottedPath } from '../http/json.ts'
import { fieldIssues, validationMessage } from '../http/validation-messages.ts'
import type { Content, Kind } from './kind.ts'
import type { Operations } from './operations.ts'

/** A wrong member of a file. */
export interface Fault {
  path: string
  msg: string
}

/** The text that stands for a secret where it is shown. */
export const maskedSecret = '********'

/**
 * Parses the content of an object with the bodies of its POST and its PUT. The result has the members of both, and the defaults of
 * the members that are left out.
 */
export function parseContent(kind: Kind, { create, replace }: Operations, given: Content): Content | Fault[] {
  const schemas = [create?.body, replace?.body].filter((schema) => schema !== undefined)
  const whole = { ...kind.defaults, ...given }
  const parsed = schemas.map((schema) => schema.safeParse(whole, { error: validationMessage }))
  const faults = [...parsed.flatMap(({ error }) => (error ? faultsOf(error) : [])), ...unknownMembers(schemas, given)]
  if (faults.length > 0) return distinct(faults)
  return Object.assign({}, ...parsed.map(({ data }) => data))
}

/** Returns the content of an existing object. Its view has all members of its body. */
export function contentOfView(kind: Kind, { create, replace }: Operations, view: Content): Content {
  const { id, ...members } = kind.withKeys ? { ...kind.withKeys.contentOf(view), id: view.id } : view
  const shown: Content =
    kind.defaultsToId && members[kind.defaultsToId] === id ? without(members, kind.defaultsToId) : members
  const parsed = [create?.body, replace?.body].map((schema) => schema?.safeParse(shown).data)
  return Object.assign(
    {},
    kind.defaults,
    ...parsed,
    Object.fromEntries((kind.kept ?? []).map((name) => [name, undefined])),
  )
}

function without(members: Content, name: string): Content {
  const { [name]: _left, ...rest } = members
  return rest
}

function faultsOf(error: z.ZodError): Fault[] {
  return fieldIssues(error.issues.slice(0, 100)).map(({ path, message }) => ({ path: dottedPath(path), msg: message }))
}

/** Returns the members that no schema declares. */
function unknownMembers(schemas: readonly z.ZodType[], given: Content): Fault[] {
  const [first = [], ...others] = schemas.map((schema) => findUnknownMembers(schema, given))
  const unknown = first.filter((path) => others.every((paths) => paths.includes(path)))
  return unknown.map((path) => ({ path, msg: 'This member does not exist' }))
}

function distinct(faults: Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.msg}`, fault])).values()]
}

/** Returns the content with names instead of ids and without its secret, as plans and exports show it. */
export function showContent(kind: Kind, content: Content, nameOfId: (id: string) => string | undefined): Content {
  const shown: Content = JSON.parse(JSON.stringify(content))
  for (const member of Object.keys(kind.references ?? {})) {
    const id = shown[member]
    if (typeof id === 'string') shown[member] = { $ref: nameOfId(id) ?? id }
  }
  const secretPath = kind.secret?.pathIn(shown)
  if (secretPath !== undefined) setAt(shown, secretPath, maskedSecret)
  return shown
}

export function valueAt(content: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (isObject(value) ? value[name] : undefined), content)
}

export function setAt(content: Content, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const owner = names.length === 0 ? content : valueAt(content, names.join('.'))
  if (isObject(owner) && last in owner) owner[last] = value
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
