import { isDeepStrictEqual } from 'node:util'
import { fingerprintOf } from '../../shared/formats/certificate.ts'
import { isJsonObject } from '../../shared/formats/json-object.ts'
import { tagOf } from '../http/if-match.ts'
import { toRequestContent } from './content.ts'
import { inMember } from './in-member.ts'
import type { Executing, FileObject, Kind } from './kind.ts'
import { type ChangedField, type Content, changedFields, valueAt } from './members.ts'
import { ownerIdOf } from './names.ts'

export const roles = ['issuer', 'verifier'] as const

/** A list in the content of a participant whose items have routes of their own. */
interface ItemList {
  /** The dotted path of the list in the content. */
  at: string
  /** The path of the list in the interface. */
  path: string
  /** Returns what identifies an item of a file, which can be wrong, or of a view. */
  keyOf(item: unknown): string | undefined
  /** The items are ids, which the body of the POST has as this member. Other items are that body. */
  idMember?: string
}

const participant = '/v1/ecosystems/:ecosystemId/participants/:participantId'

export const itemLists: readonly ItemList[] = roles.flatMap((role): ItemList[] => [
  {
    at: `${role}.credentialTypes`,
    path: `${participant}/${role}/credentials`,
    keyOf: typeOf,
    idMember: 'credentialId',
  },
  { at: `${role}.certificates`, path: `${participant}/${role}-certificates`, keyOf: fingerprintIn },
])

/** Returns the path or the id of an assigned type. */
function typeOf(item: unknown): string | undefined {
  return isJsonObject(item) ? text(item.$ref) : text(item)
}

/** The same certificate can be written in several ways. */
function fingerprintIn(item: unknown): string | undefined {
  const pem = isJsonObject(item) ? text(item.certificatePem) : undefined
  return pem === undefined ? undefined : fingerprintOf(pem)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns the items of a list. A file can have another value there. */
function itemsOf({ at }: ItemList, content: Content): unknown[] {
  const items = valueAt(content, at)
  return Array.isArray(items) ? items : []
}

/** Returns the content without the members that have the lists. */
export function withoutItems(content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !roles.some((role) => role === name)))
}

/** Whether the path of a member is that of a list or in it. */
export function isOfItems(path: string): boolean {
  return itemLists.some(({ at }) => path === at || path.startsWith(`${at}.`))
}

/** Returns a view whose items have the order of their paths or fingerprints. `paths` has the paths of types by id. */
export function withSortedItems(view: Content, paths: ReadonlyMap<string, string>): Content {
  const sorted = structuredClone(view)
  for (const list of itemLists) {
    const keyOf = (item: unknown) =>
      list.idMember ? (paths.get(String(item)) ?? String(item)) : (list.keyOf(item) ?? '')
    itemsOf(list, sorted).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }
  return sorted
}

/** Returns the paths of items that are in their list twice. */
export function repeatedItems(content: Content): string[] {
  return itemLists.flatMap((list) => {
    const keys = itemsOf(list, content).map(list.keyOf)
    return keys.flatMap((key, at) => (key !== undefined && keys.indexOf(key) < at ? [`${list.at}.${at}`] : []))
  })
}

/** The difference between two contents of a list. */
interface Difference {
  list: ItemList
  /** The items that only the earlier content has. */
  removed: unknown[]
  /** The items of the later content, with the earlier item of the same key. */
  items: { item: unknown; at: number; earlier: unknown }[]
}

function differencesBetween(before: Content, after: Content): Difference[] {
  return itemLists.map((list) => {
    const items = itemsOf(list, after)
    const keys = new Set(items.map(list.keyOf))
    const earlier = new Map(itemsOf(list, before).map((item) => [list.keyOf(item), item]))
    return {
      list,
      removed: [...earlier].filter(([key]) => !keys.has(key)).map(([, item]) => item),
      items: items.map((item, at) => ({ item, at, earlier: earlier.get(list.keyOf(item)) })),
    }
  })
}

/**
 * Returns the items that differ. An item that is added or removed has the path of its list. A member of an item has the number of the
 * item in `after`.
 */
export function changedItems(before: Content, after: Content): ChangedField[] {
  return differencesBetween(before, after).flatMap(({ list: { at: path }, removed, items }) => [
    ...removed.map((item) => ({ path, from: item })),
    ...items.flatMap(({ item, earlier }) => (earlier === undefined ? [{ path, to: item }] : [])),
    ...items.flatMap(({ item, at, earlier = item }) =>
      changedFields(writableIn(earlier), writableIn(item), `${path}.${at}.`),
    ),
  ])
}

/** Returns the members of an item that a PUT can change. */
function writableIn(item: unknown): Content {
  if (!isJsonObject(item)) return {}
  const { certificatePem: _pem, $ref: _type, ...members } = item
  return members
}

/** Makes the lists of a participant equal to those of its file. It removes items first, so that new items have room. */
export async function changeItems(
  executing: Executing,
  file: FileObject,
  participantId: string,
  before: Content,
): Promise<void> {
  const params = { ecosystemId: ownerIdOf(file, executing.ids) ?? '', participantId }
  const differences = differencesBetween(before, toRequestContent(file, executing.ids))
  for (const difference of differences) await removeItems(executing, file.kind, difference, params)
  for (const difference of differences) await writeItems(executing, file.kind, difference, params)
}

async function removeItems(
  { call, deleted }: Executing,
  { memberRoutes }: Kind,
  { list, removed }: Difference,
  params: Record<string, string>,
): Promise<void> {
  const { remove, idParam = '' } = memberRoutes.get(list.path) ?? {}
  for (const view of removed) {
    const id = idOf(view)
    // The deletion of a credential type removes its assignments.
    if (!remove || (list.idMember && deleted.has(id))) continue
    await inMember(list.at, () => call(remove, { params: { ...params, [idParam]: id } }))
  }
}

async function writeItems(
  { call }: Executing,
  { memberRoutes }: Kind,
  { list, items }: Difference,
  params: Record<string, string>,
): Promise<void> {
  const { create, replace, idParam = '' } = memberRoutes.get(list.path) ?? {}
  for (const { item, at, earlier: view } of items) {
    await inMember(`${list.at}.${at}`, async () => {
      if (view === undefined && create) {
        const content = list.idMember ? { [list.idMember]: item } : item
        await call(create, { params, body: create.body?.parse(content) })
      } else if (view !== undefined && replace) {
        const body = replace.body?.parse(item)
        if (isDeepStrictEqual(body, replace.body?.parse(view))) return
        const headers = { 'if-match': tagOf(view) }
        await call(replace, { params: { ...params, [idParam]: idOf(view) }, body, headers })
      }
    })
  }
}

function idOf(view: unknown): string {
  return String(isJsonObject(view) ? view.id : view)
}
