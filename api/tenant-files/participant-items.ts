import { isDeepStrictEqual } from 'node:util'
import { fingerprintOf } from '../../shared/formats/certificate.ts'
import { tagOf } from '../http/if-match.ts'
import { toRequestContent } from './content.ts'
import { inMember } from './in-member.ts'
import type { Executing, FileObject, KindRoutes } from './kind.ts'
import { type ChangedField, type Content, changedFields, isObject, valueAt } from './members.ts'
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
  return isObject(item) ? text(item.$ref) : text(item)
}

/** The same certificate can be written in several ways. */
function fingerprintIn(item: unknown): string | undefined {
  const pem = isObject(item) ? text(item.certificatePem) : undefined
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

/**
 * Returns the items that differ. An item that is added or removed has the path of its list. A member of an item has the number of the
 * item in `after`.
 */
export function changedItems(before: Content, after: Content): ChangedField[] {
  return itemLists.flatMap((list) => {
    const byKey = (content: Content) =>
      new Map(itemsOf(list, content).map((item, at) => [list.keyOf(item), { item, at }]))
    const [old, now] = [byKey(before), byKey(after)]
    const removed = [...old].filter(([key]) => !now.has(key)).map(([, { item }]) => ({ path: list.at, from: item }))
    const added = [...now].filter(([key]) => !old.has(key)).map(([, { item }]) => ({ path: list.at, to: item }))
    const changed = [...now].flatMap(([key, { item, at }]) =>
      changedFields(writableIn(old.get(key)?.item ?? item), writableIn(item), `${list.at}.${at}.`),
    )
    return [...removed, ...added, ...changed]
  })
}

/** Returns the members of an item that a PUT can change. */
function writableIn(item: unknown): Content {
  if (!isObject(item)) return {}
  const { certificatePem: _pem, $ref: _type, ...members } = item
  return members
}

/** What has to happen to a list. */
interface Difference {
  list: ItemList
  routes: KindRoutes
  /** The views of items that the file leaves out. */
  removed: unknown[]
  /** The other items with their views, which new items do not have. */
  items: { item: unknown; at: number; view: unknown }[]
}

/** Makes the lists of a participant equal to those of its file. It removes items first, so that new items have room. */
export async function changeItems(
  executing: Executing,
  file: FileObject,
  participantId: string,
  before: Content,
): Promise<void> {
  const { kind } = file
  const content = toRequestContent(file, executing.ids)
  const params = { ecosystemId: ownerIdOf(file, executing.ids) ?? '', participantId }
  const differences = itemLists.map((list): Difference => {
    const items = itemsOf(list, content)
    const keys = new Set(items.map(list.keyOf))
    const views = new Map(itemsOf(list, before).map((view) => [list.keyOf(view), view]))
    return {
      list,
      routes: kind.memberRoutes.get(list.path) ?? {},
      removed: [...views].filter(([key]) => !keys.has(key)).map(([, view]) => view),
      items: items.map((item, at) => ({ item, at, view: views.get(list.keyOf(item)) })),
    }
  })
  for (const difference of differences) await removeItems(executing, difference, params)
  for (const difference of differences) await writeItems(executing, difference, params)
}

async function removeItems(
  { call, deleted }: Executing,
  { list, routes: { remove, idParam = '' }, removed }: Difference,
  params: Record<string, string>,
): Promise<void> {
  for (const view of removed) {
    const id = idOf(view)
    // The deletion of a credential type removes its assignments.
    if (!remove || (list.idMember && deleted.has(id))) continue
    await inMember(list.at, () => call(remove, { params: { ...params, [idParam]: id } }))
  }
}

async function writeItems(
  { call }: Executing,
  { list, routes: { create, replace, idParam = '' }, items }: Difference,
  params: Record<string, string>,
): Promise<void> {
  for (const { item, at, view } of items) {
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
  return String(isObject(view) ? view.id : view)
}
