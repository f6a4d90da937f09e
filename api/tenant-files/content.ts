import type { z } from 'zod'
import { dottedPath } from '../../shared/formats/lossless-json.ts'
import { findUnknownMembers } from '../http/ignored.ts'
import { fieldIssues, validationMessage } from '../http/validation-messages.ts'
import type { Content, Kind } from './kind.ts'
import type { Operations } from './operations.ts'

/** A wrong member of a file. */
export interface Fault {
  path: string
  msg: string
}

/**
 * Parses the content of an object with the bodies of its POST and its PUT. The result has the members of both, and the defaults of
 * the members that are left out.
 */
export function parseContent(kind: Kind, { createBody, replaceBody }: Operations, given: Content): Content | Fault[] {
  const schemas = [createBody, replaceBody].filter((schema) => schema !== undefined)
  const whole = { ...kind.defaults, ...given }
  const parsed = schemas.map((schema) => schema.safeParse(whole, { error: validationMessage }))
  const faults = [...parsed.flatMap(({ error }) => (error ? faultsOf(error) : [])), ...unknownMembers(schemas, given)]
  if (faults.length > 0) return distinct(faults)
  return Object.assign({}, ...parsed.map(({ data }) => data))
}

/** Returns the content of an existing object. Its view has all members of its body. */
export function contentOfView(kind: Kind, { createBody, replaceBody }: Operations, view: Content): Content {
  const { id, ...members } = kind.withKeys ? { ...kind.withKeys.contentOf(view), id: view.id } : view
  const shown: Content =
    kind.defaultsToId && members[kind.defaultsToId] === id ? without(members, kind.defaultsToId) : members
  const parsed = [createBody, replaceBody].map((schema) => schema?.safeParse(shown).data)
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
