import { setImmediate } from 'node:timers/promises'
import type { Reader } from '../../db/client.ts'
import type { ManagedObject } from '../../db/repos/operations/managed-objects.ts'
import { findProblem, Problem } from '../../shared/errors/errors.ts'
import type { Route } from '../http/route.ts'
import { contentOfView } from './content.ts'
import { toFileContent } from './file-content.ts'
import type { InnerCall } from './inner-calls.ts'
import type { Content, Kind, Part } from './kind.ts'
import { kinds } from './kinds.ts'
import { isObject } from './members.ts'
import { createFreeNames, namesIn, pathOf, toName } from './names.ts'
import type { Operations } from './operations.ts'
import { partMembers } from './parts.ts'
import { withPauses } from './with-pauses.ts'

/** An object of the tenant as REST shows it, with the path of its file. */
export interface Existing {
  kind: Kind
  path: string
  /** The names in the path. */
  names: string[]
  /** The id. For an object that its owner has once, the id of the owner. */
  id: string
  /** The parameters of its routes. */
  params: Record<string, string>
  view: Content
  /** The views of the items of its parts. */
  parts: ReadonlyMap<Part, readonly Content[]>
  /** The content as its file would have it. */
  content: Content
  /** Its keys do not exist yet. */
  isPending: boolean
  /** The row, if files made the object. */
  managed: ManagedObject | undefined
}

export interface State {
  byPath: Map<string, Existing>
}

interface Reading {
  db: Reader
  tenantId: string
  call: InnerCall
  operations: Map<Kind, Operations>
  managed: ManagedObject[]
}

/** The most objects of a tenant that files can describe, with those that have no file. */
export const maxObjectsOfTenant = 20_000

/**
 * Reads all objects of a tenant. The objects of a kind are in the order of their creation. Throws `conflict` if the tenant has too many
 * objects.
 */
export async function readState(reading: Reading): Promise<State> {
  const state: State = { byPath: new Map() }
  const pathOfId = new Map<string, string>()
  const managed = new Map(reading.managed.map((row) => [`${row.kind} ${row.parentId} ${row.objectId}`, row]))
  for (const kind of kinds) {
    const owners = kind.parent
      ? [...state.byPath.values()].filter((each) => each.kind.name === kind.parent?.kind)
      : [undefined]
    for (const owner of owners) {
      for (const existing of await readKind(reading, kind, owner, managed, pathOfId)) {
        state.byPath.set(existing.path, existing)
        if (state.byPath.size > maxObjectsOfTenant) throw tooMany()
        if (!kind.isOne) pathOfId.set(existing.id, existing.path)
      }
    }
  }
  return state
}

function tooMany(): Problem {
  const message = `Files cannot describe a tenant with more than ${maxObjectsOfTenant.toLocaleString('en')} objects`
  return new Problem('conflict', { message })
}

async function readKind(
  { db, tenantId, call, operations, managed: rows }: Reading,
  kind: Kind,
  owner: Existing | undefined,
  managed: Map<string, ManagedObject>,
  pathOfId: ReadonlyMap<string, string>,
): Promise<Existing[]> {
  const own = operations.get(kind) ?? {}
  const params = ownerParams(kind, owner, tenantId)
  const parentId = owner?.id ?? ''
  const ofKind = rows.filter((row) => row.kind === kind.name && row.parentId === parentId)
  // The list is read later: an object whose key is created between both reads is in it.
  const withoutKeys = await readPending(kind, { db, tenantId }, ofKind)
  const listed = kind.isOne
    ? await readOne(call, own.retrieve, params)
    : await readList(call, own, params, kind.isListedInPart)
  const idsOfList = new Set(listed.map(({ id }) => id))
  const pending = withoutKeys.filter(({ id }) => !idsOfList.has(id))
  const partsOf = await readParts(kind, { db, tenantId }, listed)
  const free = createFreeNames(ofKind.map(({ name }) => name))
  const objects: Existing[] = []
  for await (const view of withPauses([...listed, ...pending])) {
    const id = kind.isOne ? parentId || tenantId : String(view.id)
    const row = managed.get(`${kind.name} ${parentId} ${id}`)
    const name = row?.name ?? free.take(toName(kind.nameOf(view), kind.name))
    const names = [...(owner?.names ?? []), name].slice(0, namesIn(kind))
    const parts = partsOf.get(id) ?? new Map()
    const whole = { ...view, ...partMembers(kind, parts, (each) => pathOfId.get(each)) }
    objects.push({
      ...{ kind, names, id, view, parts, managed: row, isPending: pending.includes(view) },
      path: pathOf(kind, names),
      params: own.idParam ? { ...params, [own.idParam]: id } : params,
      content: toFileContent(kind, contentOfView(kind, own, whole), (each) => pathOfId.get(each)),
    })
  }
  return objects
}

/** Reads the parts of all objects of a list, by the ids of the objects. */
async function readParts(
  { parts = [] }: Kind,
  { db, tenantId }: Pick<Reading, 'db' | 'tenantId'>,
  listed: readonly Content[],
): Promise<Map<string, Map<Part, Content[]>>> {
  const byOwner = new Map<string, Map<Part, Content[]>>()
  const ids = parts.length === 0 ? [] : listed.map(({ id }) => String(id))
  for (const part of ids.length === 0 ? [] : parts) {
    for (const { ownerId, view } of await part.read(db, tenantId, ids)) {
      const own = byOwner.get(ownerId) ?? new Map<Part, Content[]>()
      byOwner.set(ownerId, own)
      const views = own.get(part)
      if (views) views.push(view)
      else own.set(part, [view])
    }
  }
  return byOwner
}

/** Reads the objects that files made and whose keys do not exist yet. */
async function readPending(
  { withKeys }: Kind,
  { db, tenantId }: Pick<Reading, 'db' | 'tenantId'>,
  managed: readonly ManagedObject[],
): Promise<Content[]> {
  const pending: Content[] = []
  for (const { objectId } of withKeys ? managed : []) {
    const view = await withKeys?.readPending(db, tenantId, objectId)
    if (view) pending.push(view)
  }
  return pending
}

/** Returns the parameters of the list of a kind. */
export function ownerParams(
  { parent, isOne }: Kind,
  owner: { id: string } | undefined,
  tenantId: string,
): Record<string, string> {
  if (parent && owner) return { [parent.param]: owner.id }
  return isOne ? { tenantId } : {}
}

/** Returns the id of the object that contains the object of a file. `ids` has the ids by path. */
export function ownerIdOf(
  { kind, names }: { kind: Kind; names: readonly string[] },
  ids: ReadonlyMap<string, string>,
): { id: string } | undefined {
  const owner = kinds.find(({ name }) => name === kind.parent?.kind)
  const id = owner && ids.get(pathOf(owner, names))
  return id === undefined ? undefined : { id }
}

/** The presentation of a page takes about 10 ms. */
const pageLimit = 100

async function readList(
  call: InnerCall,
  { list, retrieve, idParam }: Operations,
  params: Record<string, string>,
  isInPart: true | undefined,
): Promise<Content[]> {
  const views: Content[] = []
  let cursor: string | undefined
  do {
    const query = list?.query?.parse({ limit: String(pageLimit), ...(cursor && { cursor }) })
    // Boundary: every list has this form.
    const page = (list && (await call(list, { params, query }))) as { data: Content[]; nextCursor?: string }
    views.push(...page.data)
    if (views.length > maxObjectsOfTenant) throw tooMany()
    cursor = page.nextCursor
    if (cursor) await setImmediate()
  } while (cursor)
  if (!isInPart || !retrieve || !idParam) return views
  const whole: Content[] = []
  for await (const { id } of withPauses(views)) {
    const view = await call(retrieve, { params: { ...params, [idParam]: String(id) } })
    if (isObject(view)) whole.push(view)
  }
  return whole
}

/** Returns the view of an object in a list, or an empty list if the object does not exist. */
export async function readOne(
  call: InnerCall,
  retrieve: Route | undefined,
  params: Record<string, string>,
): Promise<Content[]> {
  try {
    const view = retrieve && (await call(retrieve, { params }))
    return isObject(view) && Object.keys(view).length > 0 ? [view] : []
  } catch (error) {
    if (findProblem(error)?.problem === 'not_found') return []
    throw error
  }
}
