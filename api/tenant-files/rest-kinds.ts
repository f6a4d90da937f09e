import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { findProblem, Problem } from '../../shared/errors/errors.ts'
import { isJsonObject } from '../../shared/formats/json-object.ts'
import type { InnerCall } from '../audit/inner-calls.ts'
import { tagOf } from '../http/if-match.ts'
import { resetsOf } from '../http/kept.ts'
import type { Route } from '../http/route.ts'
import { toRequestContent } from './content.ts'
import type { Executing, FileObject, Kind, KindDefinition, KindRoutes, Kinds, Reading, StoredObject } from './kind.ts'
import { kindDefinitions } from './kinds.ts'
import { type Content, changedFields } from './members.ts'
import { ownerIdOf } from './names.ts'
import { maxObjectsOfTenant } from './schemas.ts'
import { withPauses } from './with-pauses.ts'

/** Returns all kinds with their routes. */
export function createKinds(routes: readonly Route[]): Kinds {
  return new Map(
    kindDefinitions.map((definition, position) => [definition.name, createKind(definition, position, routes)]),
  )
}

function createKind(definition: KindDefinition, position: number, allRoutes: readonly Route[]): Kind {
  const { members } = definition
  const routes = routesOf(definition, allRoutes)
  const rest: Kind = {
    ...definition,
    position,
    routes,
    memberRoutes: new Map(members?.paths.map((path) => [path, routesOf({ path }, allRoutes)])),
    bodies: [routes.create?.body, routes.replace?.body].flatMap((body) =>
      members && body instanceof z.ZodObject ? body.extend(members.schemas) : (body ?? []),
    ),
    read: (reading, ownerId) => readObjects(rest, reading, ownerId),
    changesBetween: changedFields,
    create: createObject,
    update: replaceObject,
    remove: removeObject,
  }
  return { ...rest, ...definition.override?.(rest) }
}

function routesOf({ path, isSingleton }: Pick<Kind, 'path' | 'isSingleton'>, routes: readonly Route[]): KindRoutes {
  const at = (method: Route['method'], routePath: string | undefined) =>
    routes.find((route) => route.method === method && route.path === routePath)
  const item = routes.find((route) => route.method === 'DELETE' && isItem(route.path, path))?.path
  const own = isSingleton ? path : item
  return {
    list: isSingleton ? undefined : at('GET', path),
    create: isSingleton ? undefined : at('POST', path),
    retrieve: at('GET', own),
    replace: at('PUT', own),
    // The tenant itself is not removed.
    remove: path === '/v1/tenants/:tenantId' ? undefined : at('DELETE', own),
    idParam: isSingleton ? undefined : item?.slice(path.length + 2),
  }
}

/** Whether `path` is that of an object in the list at `list`. */
function isItem(path: string, list: string): boolean {
  return path.startsWith(`${list}/:`) && !path.slice(list.length + 2).includes('/')
}

/** Returns the parameters of the routes of an object, or of its list. */
export function paramsOf(
  { parent, isSingleton, fixedParams, routes: { idParam } }: Kind,
  { ownerId, id, tenantId }: { ownerId: string | undefined; id?: string; tenantId: string },
): Record<string, string> {
  const own = idParam && id !== undefined ? { [idParam]: id } : {}
  if (parent && ownerId !== undefined) return { [parent.param]: ownerId, ...fixedParams, ...own }
  return isSingleton ? { tenantId } : own
}

/** Whether the parameters of a request, or the data of its event, are for this kind and not for another kind at the same path. */
export function hasFixedParams({ fixedParams = {} }: Kind, params: Record<string, unknown>): boolean {
  return Object.entries(fixedParams).every(([name, value]) => params[name] === value)
}

/** Throws `conflict` if a tenant has too many objects. */
export function requireFewObjects(count: number): void {
  if (count <= maxObjectsOfTenant) return
  const message = `Files cannot describe a tenant with more than ${maxObjectsOfTenant.toLocaleString('en')} objects`
  throw new Problem('conflict', { message })
}

/** The presentation of a page takes about 10 ms. */
const pageLimit = 100

async function readObjects(kind: Kind, { call, tenantId }: Reading, ownerId: string | undefined): Promise<Content[]> {
  const { list, retrieve, idParam } = kind.routes
  const params = paramsOf(kind, { ownerId, tenantId })
  if (!list) return readOne(call, retrieve, params)
  const views: Content[] = []
  let cursor: string | undefined
  do {
    const query = list.query?.parse({ limit: String(pageLimit), ...(cursor && { cursor }) })
    // Boundary: every list has this form.
    const page = (await call(list, { params, query })) as { data: Content[]; nextCursor?: string }
    views.push(...page.data)
    requireFewObjects(views.length)
    cursor = page.nextCursor
    if (cursor) await setImmediate()
  } while (cursor)
  if (!kind.listOmitsMembers || !idParam) return views
  const complete: Content[] = []
  for await (const { id } of withPauses(views))
    complete.push(...(await readOne(call, retrieve, { ...params, [idParam]: String(id) })))
  return complete
}

/** Returns the view of an object in a list, or an empty list if the object does not exist. */
export async function readOne(
  call: InnerCall,
  retrieve: Route | undefined,
  params: Record<string, string>,
): Promise<Content[]> {
  try {
    const view = retrieve && (await call(retrieve, { params }))
    return isJsonObject(view) && Object.keys(view).length > 0 ? [view] : []
  } catch (error) {
    if (findProblem(error)?.problem === 'not_found') return []
    throw error
  }
}

async function createObject({ call, tenantId, ids }: Executing, file: FileObject): Promise<string> {
  const { kind } = file
  const { create, replace } = kind.routes
  const ownerId = ownerIdOf(file, ids)
  const params = paramsOf(kind, { ownerId, tenantId })
  const content = toRequestContent(file, ids)
  if (kind.isSingleton) {
    if (replace) await call(replace, { params, body: replace.body?.parse(content) })
    return ownerId ?? tenantId
  }
  const view = create && (await call(create, { params, body: create.body?.parse(content) }))
  if (!isJsonObject(view)) return ''
  const id = String(view.id)
  // A POST ignores members that only the PUT has, such as `disabled` of a webhook.
  if (replace && differsInMore(kind.routes, content, view))
    await call(replace, { params: paramsOf(kind, { ownerId, id, tenantId }), body: replace.body?.parse(content) })
  return id
}

/** Whether the created object lacks the value of a member that only the PUT has. */
function differsInMore({ create, replace }: KindRoutes, content: Content, view: Content): boolean {
  const accepted = Object(create?.body?.parse(content))
  const more = Object.entries(Object(replace?.body?.parse(content))).filter(([name]) => !(name in accepted))
  return more.some(([name, value]) => !isDeepStrictEqual(value, view[name]))
}

async function replaceObject(
  { call, ids }: Executing,
  file: FileObject,
  { params, view }: StoredObject,
): Promise<void> {
  const { serverManaged = [], routes } = file.kind
  const { replace } = routes
  const unchanged = Object.fromEntries(serverManaged.map((name) => [name, view[name]]))
  // A member that the file leaves out gets its default.
  const body = replace?.body?.parse({ ...resetsOf(replace.body), ...unchanged, ...toRequestContent(file, ids) })
  // A change of the object since it was read is refused.
  if (replace) await call(replace, { params, body, headers: { 'if-match': tagOf(view) } })
}

async function removeObject({ call, deleted }: Executing, { kind, params, id }: StoredObject): Promise<void> {
  const { remove } = kind.routes
  if (!remove) return
  await call(remove, { params })
  deleted.add(id)
}
