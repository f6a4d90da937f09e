import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { Counter } from 'prom-client'
import { type Counters, createProcessCounters } from '../../shared/counters.ts'
import { Problem } from '../../shared/errors.ts'
import type { Rates } from '../../shared/limits.ts'
import type { Deps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { clientAddressOf } from './client-address.ts'
import { bringsConsoleSession } from './console-session.ts'
import type { Tenant } from './subjects.ts'

type Limit = keyof Rates

const limitsHit = new Counter({
  name: 'trustwright_limits_hit_total',
  help: 'Requests to this process that were answered with 429, per limit.',
  labelNames: ['limit'] as const,
})

/** What of a request is counted, and for whom. Everything is counted by tenant: no other tenant's clients are part of it. */
export interface RequestLimits {
  /** Before it is known who calls, without a round trip. Throws `too_many_requests`. */
  admit(route: Route, ctx: Context, tenant: Tenant): Promise<void>
  /** Once it is known who calls. A round trip where the tenant has a limit for this. Throws `too_many_requests`. */
  count(route: Route, tenant: Tenant): Promise<void>
  /** A secret was wrong. Nobody waits for the counting. */
  tellWrongSecret(ctx: Context, tenant: Tenant): void
}

/** Addresses and tenants that are over a limit are remembered, so that their next requests are refused at once. */
const mostRemembered = 100_000

export function createLimits({ config, bus, log }: Pick<Deps, 'config' | 'bus' | 'log'>): RequestLimits {
  const here = createProcessCounters()
  const overUntil = new LRUCache<string, number>({ max: mostRemembered })

  const mostOf = ({ settings }: Tenant, limit: Limit) => settings.limits[limit] ?? config.rates[limit]
  const addressOf = (ctx: Context) => clientAddressOf(ctx, config.trustedProxies)

  /** Throws where it was too many a moment ago. */
  function refuseIfOver(limit: Limit, key: string): void {
    const until = overUntil.get(key)
    if (until === undefined) return
    const leftMs = until - performance.now()
    if (leftMs > 0) throw tooMany(limit, leftMs)
    overUntil.delete(key)
  }

  /** Counts one more; how long it is too many from now on, if it is. */
  async function countOne(counters: Counters, most: number, key: string): Promise<number | undefined> {
    const { count, forgottenInMs } = await counters.count(key)
    if (count <= most) return undefined
    overUntil.set(key, performance.now() + forgottenInMs)
    return forgottenInMs
  }

  return {
    async admit(route, ctx, tenant) {
      const { headers } = ctx
      const isAnonymous =
        route.access.kind === 'anyone' ||
        (headers.authorization === undefined && !bringsConsoleSession(tenant, headers))
      const most = isAnonymous ? mostOf(tenant, 'anonymousPerMinute') : 0
      if (overUntil.size > 0) {
        const takesSecret = route.takesSecret || !isAnonymous
        if (takesSecret) refuseIfOver('failedSecretsPerMinute', keyOf('failedSecretsPerMinute', tenant, addressOf(ctx)))
        const counted = countedAs(route)
        if (counted) refuseIfOver(counted, keyOf(counted, tenant))
      }
      if (most === 0) return
      const leftMs = await countOne(here, most, keyOf('anonymousPerMinute', tenant, addressOf(ctx)))
      if (leftMs !== undefined) throw tooMany('anonymousPerMinute', leftMs)
    },
    async count(route, tenant) {
      const limit = countedAs(route)
      const most = limit ? mostOf(tenant, limit) : 0
      if (!limit || most === 0) return
      const leftMs = await countOne(bus.counters, most, keyOf(limit, tenant))
      if (leftMs !== undefined) throw tooMany(limit, leftMs)
    },
    tellWrongSecret(ctx, tenant) {
      const most = mostOf(tenant, 'failedSecretsPerMinute')
      if (most === 0) return
      // The one after the last that may be wrong finds the address over.
      countOne(bus.counters, most - 1, keyOf('failedSecretsPerMinute', tenant, addressOf(ctx))).catch((err) =>
        log.warn({ err }, 'a wrong secret was not counted'),
      )
    },
  }
}

/** What a request to the route counts as for its tenant, besides what it counts as for its address. */
function countedAs({
  countsAs,
  access,
  method,
}: Route): 'issuancesPerMinute' | 'managementWritesPerMinute' | undefined {
  if (countsAs === 'issuance') return 'issuancesPerMinute'
  return access.kind === 'operators' && method !== 'GET' ? 'managementWritesPerMinute' : undefined
}

function keyOf(limit: Limit, tenant: Tenant, address = ''): string {
  return `${limit} ${tenant.id} ${address}`
}

function tooMany(limit: Limit, leftMs: number): Problem {
  limitsHit.inc({ limit })
  return new Problem('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)), reason: limit })
}
