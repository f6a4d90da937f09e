import type { Writer } from '../../db/client.ts'
import type { AuditEntry } from '../../db/repos/operations/audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import { Answer } from '../http/representations/answer.ts'
import type { Headers, Route } from '../http/route.ts'

interface Parts {
  params?: Record<string, string>
  query?: unknown
  /** The parsed body. */
  body?: unknown
  headers?: Headers
}

/** Calls the handler of another route for the same caller. Returns the data of its answer. */
export type InnerCall = (route: Route, parts: Parts) => Promise<unknown>

export function innerCallOf(call: OperatorCall, deps: Deps): InnerCall {
  return async (route, { params = {}, query, body, headers = {} }) => {
    // Boundary: the caller gives the parts that the schemas of the route describe.
    const inner = { ...call, deps, params, query, body, headers, method: route.method } as never
    const answer = await route.handle(inner)
    return answer instanceof Answer ? answer.body : answer
  }
}

/**
 * Returns dependencies with which handlers run in the transaction `tx`. They read what it wrote. Their caches are empty and keep
 * nothing. `afterCommit` removes from the real caches what the handlers removed. The audit entries of the handlers are collected in
 * `sharedAudit`.
 */
export function depsInside(deps: Deps, tx: Writer) {
  const removals: (() => void)[] = []
  const sharedAudit: AuditEntry[] = []
  const inside: Deps['db']['tx'] = (work) => work(tx)
  const db: Deps['db'] = {
    ...deps.db,
    read: tx,
    tx: inside,
    txAtOnce: inside,
    txWithNext: inside,
    until: () => db,
    withoutDeadline: deps.db,
  }
  const bus = { ...deps.bus, poke: () => void removals.push(() => deps.bus.poke()) }
  return {
    deps: { ...withoutCaches(deps, removals), db, bus, sharedAudit },
    sharedAudit,
    afterCommit: () => {
      for (const remove of removals) remove()
    },
  }
}

/** Returns dependencies whose caches are empty and keep nothing. `removals` receives what handlers remove from the real caches. */
export function withoutCaches(deps: Deps, removals: (() => void)[] = []): Deps {
  const caches: Deps['caches'] = {
    of: (definition) => emptyCache(deps.caches.of(definition), removals),
    forgetTenant: (tenantId) => void removals.push(() => deps.caches.forgetTenant(tenantId)),
  }
  return { ...deps, caches }
}

/** Returns a cache that has no entries. It stores nothing and records removals. */
function emptyCache<Cache extends object>(cache: Cache, removals: (() => void)[]): Cache {
  return new Proxy(cache, {
    get(target, name) {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...input: unknown[]) => {
        if (name === 'delete' || name === 'clear') removals.push(() => Reflect.apply(method, target, input))
        return undefined
      }
    },
  })
}
