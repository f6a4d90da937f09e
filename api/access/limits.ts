import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { Counter } from 'prom-client'
import { type Counters, createProcessCounters } from '../../shared/counters.ts'
import type { DailyRates, Rates } from '../../shared/domain/tenancy/limits.ts'
import { Problem } from '../../shared/errors.ts'
import type { Deps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { clientAddressOf } from './client-address.ts'
import { bringsConsoleSession } from './console/session.ts'
import type { Tenant } from './subjects.ts'

type Limit = keyof Rates | keyof DailyRates

const limitsHit = new Counter({
  name: 'trustwright_limits_hit_total',
  help: 'Requests to this process that were answered with 429, per limit.',
  labelNames: ['limit'] as const,
})

/** What of a request is counted, and for whom. Everything is counted by tenant: no other tenant's clients are part of it. */
export interface RequestLimits {
  /** Before it is known who calls, without a round trip. Throws `too_many_requests`. */
  admit(route: Route, ctx: Context, tenant: Tenant): Promise<void>
  /** Once it is known who calls. A round trip only near a limit of the tenant. Throws `too_many_requests`. */
  count(route: Route, tenant: Tenant): Promise<void>
  /** Throws `too_many_requests` for a guess from an address with too many wrong ones. */
  admitGuess(ctx: Context, tenant: Tenant): void
  /** Counts a wrong secret or guess. Returns the refusal for an address over its limit. */
  countWrong(problem: Problem, ctx: Context, tenant: Tenant): Promise<Problem | undefined>
}

/** Addresses and tenants that are over a limit are remembered, so that their next requests are refused at once. */
const mostRemembered = 100_000

export function createLimits({ config, bus }: Pick<Deps, 'config' | 'bus'>): RequestLimits {
  const here = createProcessCounters()
  const overUntil = new LRUCache<string, number>({ max: mostRemembered })

  const mostOf = ({ settings }: Tenant, limit: keyof Rates) => settings.limits[limit] ?? config.rates[limit]
  const addressOf = (ctx: Context) => clientAddressOf(ctx, config.trustedProxies)
  const wrongKeyOf = (what: 'secret' | 'guess', ctx: Context, tenant: Tenant) =>
    `${keyOf('failedSecretsPerMinute', tenant, addressOf(ctx))} ${what}`

  /** For how long the key stays over its limit; undefined where it is not. */
  function leftOver(key: string): number | undefined {
    const until = overUntil.get(key)
    if (until === undefined) return undefined
    const leftMs = until - performance.now()
    if (leftMs > 0) return leftMs
    overUntil.delete(key)
    return undefined
  }

  function refuseIfOver(limit: Limit, key: string): void {
    const leftMs = leftOver(key)
    if (leftMs !== undefined) throw tooMany(limit, leftMs)
  }

  /** Counts one more. Returns for how long the key is over its limit, if it is. */
  async function countOne(counters: Counters, most: number, key: string): Promise<number | undefined> {
    const { count, forgottenInMs } = await counters.count(key, most)
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
      const counted = countedAs(route)
      if (counted && overUntil.size > 0) refuseIfOver(counted, keyOf(counted, tenant))
      const most = isAnonymous ? mostOf(tenant, 'anonymousPerMinute') : 0
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
    admitGuess(ctx, tenant) {
      if (overUntil.size > 0) refuseIfOver('failedSecretsPerMinute', wrongKeyOf('guess', ctx, tenant))
    },
    async countWrong({ isWrongSecret, isWrongGuess }, ctx, tenant) {
      const most = mostOf(tenant, 'failedSecretsPerMinute')
      if (most === 0 || !(isWrongSecret || isWrongGuess)) return undefined
      const key = wrongKeyOf(isWrongSecret ? 'secret' : 'guess', ctx, tenant)
      const leftMs = leftOver(key) ?? (await countOne(bus.counters, most, key))
      return leftMs === undefined ? undefined : tooMany('failedSecretsPerMinute', leftMs)
    },
  }
}

/** Counts an attempt to register without a required key attestation. Throws `too_many_requests` over the day's limit of the address. */
export async function countRegistration({ config, bus }: Deps, tenant: Tenant, address: string): Promise<void> {
  const most = tenant.settings.limits.registrationsPerDay ?? config.registrationsPerDay
  const { count, forgottenInMs } = await bus.dailyCounters.count(keyOf('registrationsPerDay', tenant, address), most)
  if (count > most) throw tooMany('registrationsPerDay', forgottenInMs)
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
