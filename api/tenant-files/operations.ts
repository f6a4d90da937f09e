import type { z } from 'zod'
import type { Route } from '../http/route.ts'
import type { Kind, Part } from './kind.ts'
import { kinds } from './kinds.ts'
import { bodyWithParts } from './parts.ts'

/** The routes of a kind. */
export interface Operations {
  list?: Route
  retrieve?: Route
  create?: Route
  replace?: Route
  remove?: Route
  /** The parameter with the id of an object. Undefined for a kind with `isOne`. */
  idParam?: string
  /** The content of files: the bodies of the POST and the PUT, with the parts. */
  createBody?: z.ZodType
  replaceBody?: z.ZodType
  parts?: ReadonlyMap<Part, Operations>
}

/** Returns the routes of each kind. */
export function operationsByKind(routes: readonly Route[]): Map<Kind, Operations> {
  return new Map(kinds.map((kind) => [kind, operationsOf(kind, routes)]))
}

function operationsOf(
  { path, isOne, parts = [] }: Pick<Kind, 'path' | 'isOne' | 'parts'>,
  routes: readonly Route[],
): Operations {
  const at = (method: Route['method'], wanted: string | undefined) =>
    routes.find((route) => route.method === method && route.path === wanted)
  const item = routes.find((route) => route.method === 'DELETE' && isItem(route.path, path))?.path
  const own = isOne ? path : item
  const [retrieve, replace, remove] = [at('GET', own), at('PUT', own), at('DELETE', own)]
  const [list, create] = isOne ? [] : [at('GET', path), at('POST', path)]
  const ofParts = new Map(parts.map((part) => [part, operationsOf({ path: part.path }, routes)]))
  const [createBody, replaceBody] = [create?.body, replace?.body].map((body) =>
    bodyWithParts({ parts }, body, (part) => ofParts.get(part)?.create?.body),
  )
  return {
    ...(createBody && { createBody }),
    ...(replaceBody && { replaceBody }),
    ...(ofParts.size > 0 && { parts: ofParts }),
    ...(list && { list }),
    ...(create && { create }),
    ...(retrieve && { retrieve }),
    ...(replace && { replace }),
    // The tenant itself is not removed.
    ...(remove && path !== '/v1/tenants/:tenantId' && { remove }),
    ...(item && !isOne && { idParam: item.slice(path.length + 2) }),
  }
}

/** Whether `path` is that of an object in the list at `list`. */
function isItem(path: string, list: string): boolean {
  return path.startsWith(`${list}/:`) && !path.slice(list.length + 2).includes('/')
}

/** The event of an apply. */
export const applyEvent = 'CONFIGURATION_APPLY'

/** The type of the audit rows of an apply. */
export const applyAuditType = `${applyEvent}_AUDIT`
