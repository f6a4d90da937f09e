import { z } from 'zod'
import type { FileKind } from '../../shared/domain/tenancy/tenant-files.ts'
import type { Content, Kind, Part } from './kind.ts'
import { type ChangedField, changedFields, isObject, valueAt } from './members.ts'

/** Returns the path of the list of a part in the content, such as `issuer.certificates`. */
export function listPath({ at }: Part): string {
  return at.join('.')
}

/** Returns the items of a part. A file can have another value there. */
export function partItems(part: Part, content: unknown): unknown[] {
  const items = valueAt(content, listPath(part))
  return Array.isArray(items) ? items : []
}

/** Returns the body of a kind with the members of its parts. `bodyOf` returns the body of the POST of a part. */
export function bodyWithParts(
  { parts = [] }: Pick<Kind, 'parts'>,
  body: z.ZodType | undefined,
  bodyOf: (part: Part) => z.ZodType | undefined,
): z.ZodType | undefined {
  if (parts.length === 0 || !(body instanceof z.ZodObject)) return body
  const members: Record<string, Record<string, z.ZodType>> = {}
  for (const part of parts) {
    const [member, list] = part.at
    members[member] = { ...members[member], [list]: z.array(itemSchema(part, bodyOf(part))).default([]) }
  }
  const objects = Object.entries(members).map(([member, lists]) => {
    const empty = Object.fromEntries(Object.keys(lists).map((list) => [list, []]))
    return [member, z.object(lists).default(empty)]
  })
  return body.extend(Object.fromEntries(objects))
}

function itemSchema({ refersTo }: Part, body: z.ZodType | undefined): z.ZodType {
  const schema = refersTo && body instanceof z.ZodObject ? body.shape[refersTo.member] : body
  return schema instanceof z.ZodType ? schema : z.unknown()
}

/** Returns the kinds of the objects to which the content refers, by the path of the member. */
export function referencePlaces({ references = {}, parts = [] }: Kind, content: Content): Map<string, FileKind> {
  const places = new Map<string, FileKind>()
  for (const [member, kind] of Object.entries(references)) if (content[member] !== undefined) places.set(member, kind)
  for (const part of parts) {
    const kind = part.refersTo?.kind
    for (const at of kind ? partItems(part, content).keys() : []) if (kind) places.set(`${listPath(part)}.${at}`, kind)
  }
  return places
}

/** Returns the paths of items that are in their list twice. */
export function repeatedItems({ parts = [] }: Kind, content: Content): string[] {
  return parts.flatMap((part) => {
    const found = new Set<string>()
    return partItems(part, content).flatMap((item, at) => {
      const key = part.keyOf(item)
      if (key === undefined) return []
      if (found.has(key)) return [`${listPath(part)}.${at}`]
      found.add(key)
      return []
    })
  })
}

/** Returns the members of a view for its parts, by `views` of the parts. The items have the order of their keys. */
export function partMembers(
  { parts = [] }: Kind,
  views: ReadonlyMap<Part, readonly Content[]>,
  nameOfId: (id: string) => string | undefined,
): Content {
  const members: Record<string, Content> = {}
  for (const part of parts) {
    const [member, list] = part.at
    const items = (views.get(part) ?? []).map((view) => {
      const id = String(view.id)
      return part.refersTo ? { item: id, key: nameOfId(id) ?? id } : { item: view, key: part.keyOf(view) ?? '' }
    })
    items.sort((a, b) => (a.key < b.key ? -1 : 1))
    members[member] = { ...members[member], [list]: items.map(({ item }) => item) }
  }
  return members
}

/** Whether the path of a changed member is in a part. */
export function isInPart({ parts = [] }: Kind, path: string): boolean {
  return parts.some((part) => path === listPath(part) || path.startsWith(`${listPath(part)}.`))
}

/** Returns the content without its parts. */
export function withoutParts({ parts = [] }: Kind, content: Content): Content {
  const members = new Set(parts.map(({ at }) => at[0]))
  return Object.fromEntries(Object.entries(content).filter(([name]) => !members.has(name)))
}

/**
 * Returns the items that differ, with the contents as plans show them. An item that is added or removed has the path of its list. A
 * member of an item has the number of the item in `to`.
 */
export function changedParts({ parts = [] }: Kind, from: Content, to: Content): ChangedField[] {
  return parts.flatMap((part) => {
    const path = listPath(part)
    const [before, after] = [byKey(part, from), byKey(part, to)]
    const removed = [...before].filter(([key]) => !after.has(key)).map(([, { item }]) => ({ path, from: item }))
    const added = [...after].filter(([key]) => !before.has(key)).map(([, { item }]) => ({ path, to: item }))
    const changed = [...after].flatMap(([key, { item, at }]) =>
      changedFields(withoutKey(part, before.get(key)?.item ?? item), withoutKey(part, item), `${path}.${at}.`),
    )
    return [...removed, ...added, ...changed]
  })
}

function byKey(part: Part, content: Content): Map<string, { item: unknown; at: number }> {
  return new Map(partItems(part, content).map((item, at) => [part.keyOf(item) ?? '', { item, at }]))
}

/** The same certificate can be written in several ways. */
function withoutKey({ keyMember }: Part, item: unknown): Content {
  if (!isObject(item)) return {}
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== keyMember))
}

/** Returns the paths of the lists from which an update deletes objects. */
export function listsThatLose({ parts = [] }: Kind, fields: readonly ChangedField[]): string[] {
  const withObjects = parts.filter(({ refersTo }) => !refersTo).map(listPath)
  return withObjects.filter((path) => fields.some((field) => field.path === path && field.to === undefined))
}
