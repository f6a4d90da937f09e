import { findManagedChild, findManagedObject } from '../../db/repos/operations/managed-objects.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { Route } from '../http/route.ts'
import type { Kind, Kinds } from './kind.ts'
import { createKinds, hasFixedParams } from './rest-kinds.ts'

/**
 * Returns the routes with a check before a change of an object that files made. They throw `conflict` if the tenant locks such objects.
 * An apply calls the routes without the check. The platform can always change a tenant. An object that files refer to, but did not make,
 * is not locked.
 */
export function withLocks(routes: readonly Route[]): Route[] {
  const locked = new Map<Route, Route>()
  const kinds = createKinds(routes)
  for (const kind of kinds.values()) {
    if (kind.name === 'tenant') continue
    const ofMembers = [...kind.memberRoutes.values()].flatMap(({ create, replace, remove }) => [
      create,
      replace,
      remove,
    ])
    // Several kinds can share a route.
    for (const route of [kind.routes.replace, kind.routes.remove, ...ofMembers])
      if (route) locked.set(route, withLock(locked.get(route) ?? route, kind, kinds))
  }
  return routes.map((route) => locked.get(route) ?? route)
}

function withLock(route: Route, kind: Kind, kinds: Kinds): Route {
  const { idParam } = kind.routes
  return {
    ...route,
    problems: [...new Set([...(route.problems ?? []), 'conflict' as const])],
    async handle(call) {
      const { tenant, tenantId, deps } = call
      // Boundary: the schema of the route has read the parameters.
      const params = (call.params ?? {}) as Record<string, string>
      if (tenant.settings.lockManagedObjects && hasFixedParams(kind, params)) {
        const parentId = kind.parent ? (params[kind.parent.param] ?? '') : ''
        const objectId = idParam ? (params[idParam] ?? '') : parentId || tenantId
        const managed = await findManagedObject(deps.db.read, tenantId, { kind: kind.name, parentId, objectId })
        if (managed) throw lockedObject(kind.name, managed.name)
        const children =
          route.method === 'DELETE' ? [...kinds.values()].filter(({ parent }) => parent?.kind === kind.name) : []
        const names = children.map(({ name }) => name)
        const child = names.length > 0 && (await findManagedChild(deps.db.read, tenantId, names, objectId))
        if (child) throw lockedObject(child.kind, child.name)
      }
      return route.handle(call)
    },
  }
}

function lockedObject(kind: string, name: string): Problem {
  const message = `Files manage this object or a part of it (${kind} ${name}), and the tenant locks such objects. Change its file and apply the files.`
  return new Problem('conflict', { message })
}
