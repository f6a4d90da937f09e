import type { z } from 'zod'
import type { FileKind } from '../../shared/domain/tenancy/tenant-files.ts'
import { isJsonObject } from '../../shared/formats/json-object.ts'
import { dottedPath } from '../../shared/formats/lossless-json.ts'
import { findUnknownMembers } from '../http/ignored.ts'
import { fieldIssues, validationMessage } from '../http/validation-messages.ts'
import type { FileObject, Kind, StoredObject } from './kind.ts'
import { type Content, removeAt, setAt, valueAt } from './members.ts'

/** The text that stands for a secret in contents. */
export const maskedSecret = '********'

/** A wrong member of a file. */
export interface Fault {
  path: string
  msg: string
}

/**
 * Parses the members of a file with the bodies of the POST and the PUT. The result has the members of both, and the defaults of the
 * members that are left out.
 */
export function parseMembers({ bodies, defaults }: Kind, members: Content): Content | Fault[] {
  const parsed = bodies.map((schema) => schema.safeParse({ ...defaults, ...members }, { error: validationMessage }))
  const faults = [...parsed.flatMap(({ error }) => (error ? faultsOf(error) : [])), ...unknownMembers(bodies, members)]
  if (faults.length > 0) return [...new Map(faults.map((fault) => [`${fault.path} ${fault.msg}`, fault])).values()]
  return Object.assign({}, ...parsed.map(({ data }) => data))
}

function faultsOf(error: z.ZodError): Fault[] {
  return fieldIssues(error.issues.slice(0, 100)).map(({ path, message }) => ({ path: dottedPath(path), msg: message }))
}

/** Returns the members that no schema declares. */
function unknownMembers(schemas: readonly z.ZodType[], members: Content): Fault[] {
  const [first = [], ...others] = schemas.map((schema) => findUnknownMembers(schema, members))
  const unknown = first.filter((path) => others.every((paths) => paths.includes(path)))
  return unknown.map((path) => ({ path, msg: 'This member does not exist' }))
}

/** Returns parsed members as JSON, with references and without the secret. `referenceAt` returns the path to which a member refers. */
export function toContent(
  kind: Kind,
  members: Content,
  referenceAt: (member: string, id: unknown) => unknown,
): Content {
  const content: Content = JSON.parse(JSON.stringify(members))
  const secretPath = kind.secret?.pathIn(content)
  if (secretPath !== undefined) setAt(content, secretPath, maskedSecret)
  return setReferences(kind, content, (id, member) => ({ $ref: referenceAt(member, id) }))
}

/** Returns the content of an object of the tenant. Its view has all members of its body. `paths` has the paths of objects by id. */
export function storedContent({ kind, view, id }: StoredObject, paths: ReadonlyMap<string, string>): Content {
  const { bodies, defaults, defaultsToId, serverManaged = [] } = kind
  const { id: _id, ...members } = kind.membersOf?.(view, paths) ?? view
  if (defaultsToId && members[defaultsToId] === id) delete members[defaultsToId]
  const parsed = bodies.map((schema) => schema.safeParse(members).data)
  const left = Object.fromEntries(serverManaged.map((name) => [name, undefined]))
  const content = withoutDeleted(kind, Object.assign({}, defaults, ...parsed, left), paths)
  return toContent(kind, content, (_, each) => paths.get(String(each)) ?? each)
}

/** Removes the ids of deleted objects from lists of ids. They have no effect, and no file can refer to them. */
function withoutDeleted(kind: Kind, content: Content, paths: ReadonlyMap<string, string>): Content {
  const isItem = (member: string) => !Object.hasOwn(kind.references ?? {}, member)
  const members = [...referencePlaces(kind, content).keys()].filter(isItem)
  return withoutMembers(
    content,
    members.filter((member) => !paths.has(String(valueAt(content, member)))),
  )
}

/** Returns the content for a request: ids instead of references, and the secret. `ids` has the ids of objects by path. */
export function toRequestContent({ kind, content, secret }: FileObject, ids: ReadonlyMap<string, string>): Content {
  const copy = structuredClone(content)
  const secretPath = kind.secret?.pathIn(copy)
  if (secretPath !== undefined) setAt(copy, secretPath, secret)
  return setReferences(kind, copy, (reference) => ids.get(String(valueAt(reference, '$ref'))))
}

/** Returns the paths to which the content refers, by the path of the member. */
export function referencesIn(kind: Kind, content: Content): [member: string, path: string][] {
  return [...referencePlaces(kind, content).keys()].map((member) => [
    member,
    String(valueAt(valueAt(content, member), '$ref')),
  ])
}

/** Returns the content without the references whose path is left out. */
export function withoutReferences(kind: Kind, content: Content, isLeftOut: (path: string) => boolean): Content {
  return withoutMembers(
    content,
    referencesIn(kind, content).flatMap(([member, path]) => (isLeftOut(path) ? [member] : [])),
  )
}

function withoutMembers(content: Content, members: readonly string[]): Content {
  if (members.length === 0) return content
  const copy = structuredClone(content)
  // The last item of a list is removed first, so that the numbers of the others stay.
  for (const member of members.toReversed()) removeAt(copy, member)
  return copy
}

/** Returns the kinds of the objects to which the content refers, by the path of the member. */
export function referencePlaces({ references = {} }: Kind, content: Content): Map<string, readonly FileKind[]> {
  const places = new Map<string, readonly FileKind[]>()
  for (const [pattern, kinds] of Object.entries(references))
    for (const member of membersAt(content, pattern)) places.set(member, kinds)
  return places
}

function membersAt(content: Content, pattern: string): string[] {
  const owner = pattern.replace(/\.\*$/, '')
  const value = valueAt(content, owner)
  if (owner === pattern) return value === undefined ? [] : [pattern]
  return Array.isArray(value) || isJsonObject(value) ? Object.keys(value).map((name) => `${owner}.${name}`) : []
}

function setReferences(kind: Kind, content: Content, change: (value: unknown, member: string) => unknown): Content {
  for (const member of referencePlaces(kind, content).keys())
    setAt(content, member, change(valueAt(content, member), member))
  return content
}
