import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { Counter } from 'prom-client'
import { type Counters, createProcessCounters } from '../../shared/counters.ts'
import type { DailyRates, Rates } from '../../shared/domain/tenancy/limits.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { Deps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { clientAddressOf } from './client-address.ts'
import { hasConsoleSession } from './console/session.ts'
import type { Tenant } from './subjects.ts'

type Limit = keyof Rates | keyof DailyRates

const limitsHit = new Counter({
  name: 'trustwright_limits_hit_total',
  help: 'Requests to this process that were answered with 429, per limit.',
  labelNames: ['limit'] as const,
})

/** The rate limits of requests. Every counter belongs to one tenant: requests to other tenants do not affect it. */
export interface RequestLimits {
  /** Checks limits before authentication, without a round trip. Throws `too_many_requests`. */
  admit(route: Route, ctx: Context, tenant: Tenant): Promise<void>
  /** Counts an authenticated request. Makes a round trip only near a limit of the tenant. Throws `too_many_requests`. */
  count(route: Route, tenant: Tenant): Promise<void>
  /** Throws `too_many_requests` for a guess from an address that has sent too many wrong guesses. */
  admitGuess(ctx: Context, tenant: Tenant): void
  /** Counts a wrong secret or guess. Returns the problem to respond with if the address is over its limit. */
  countWrong(problem: Problem, ctx: Context, tenant: Tenant): Promise<Problem | undefined>
}

/** The number of addresses and tenants over a limit that are cached, so that their next requests are refused at once. */
const maxRemembered = 100_000

export function createLimits({ config, bus }: Pick<Deps, 'config' | 'bus'>): RequestLimits {
  const processCounters = createProcessCounters()
  const over = createOverLimits()

  const maxOf = ({ settings }: Tenant, limit: keyof Rates) => settings.limits[limit] ?? config.rates[limit]
  const addressOf = (ctx: Context) => clientAddressOf(ctx, config.trustedProxies)
  const wrongKeyOf = (what: 'secret' | 'guess', ctx: Context, tenant: Tenant) =>
    `${keyOf('failedSecretsPerMinute', tenant, addressOf(ctx))} ${what}`

  function refuseIfOver(limit: Limit, key: string, max: number): void {
    const leftMs = over.remainingMs(key, max)
    if (leftMs !== undefined) throw tooMany(limit, leftMs, max)
  }

  /** Counts one request. Returns for how many milliseconds the key is over its limit, or undefined if it is not over its limit. */
  async function countOne(counters: Counters, max: number, key: string): Promise<number | undefined> {
    const { count, forgottenInMs } = await counters.count(key, max)
    if (count <= max) return undefined
    over.add(key, max, forgottenInMs)
    return forgottenInMs
  }

  return {
    async admit(route, ctx, tenant) {
      const { headers } = ctx
      const isAnonymous =
        route.access.kind === 'anyone' || (headers.authorization === undefined && !hasConsoleSession(tenant, headers))
      const counted = countedAs(route)
      if (counted && !over.isEmpty()) refuseIfOver(counted, keyOf(counted, tenant), maxOf(tenant, counted))
      const max = isAnonymous ? maxOf(tenant, 'anonymousPerMinute') : 0
      if (max === 0) return
      const leftMs = await countOne(processCounters, max, keyOf('anonymousPerMinute', tenant, addressOf(ctx)))
      if (leftMs !== undefined) throw tooMany('anonymousPerMinute', leftMs, max)
    },
    async count(route, tenant) {
      const limit = countedAs(route)
      const max = limit ? maxOf(tenant, limit) : 0
      if (!limit || max === 0) return
      const leftMs = await countOne(bus.counters, max, keyOf(limit, tenant))
      if (leftMs !== undefined) throw tooMany(limit, leftMs, max)
    },
    admitGuess(ctx, tenant) {
      const limit = 'failedSecretsPerMinute'
      if (!over.isEmpty()) refuseIfOver(limit, wrongKeyOf('guess', ctx, tenant), maxOf(tenant, limit))
    },
    async countWrong({ isWrongSecret, isWrongGuess }, ctx, tenant) {
      const max = maxOf(tenant, 'failedSecretsPerMinute')
      if (max === 0 || !(isWrongSecret || isWrongGuess)) return undefined
      const key = wrongKeyOf(isWrongSecret ? 'secret' : 'guess', ctx, tenant)
      const leftMs = over.remainingMs(key, max) ?? (await countOne(bus.counters, max, key))
      return leftMs === undefined ? undefined : tooMany('failedSecretsPerMinute', leftMs, max)
    },
  }
}

/**
 * Remembers the keys that are over their limit, so that their next requests need no round trip. An entry is for one value of
 * the limit, so that a changed limit applies to the next request.
 */
function createOverLimits() {
  // A cache allocates all its entries when it is made. Most processes refuse no request.
  let until: LRUCache<string, number> | undefined
  return {
    isEmpty: () => until === undefined || until.size === 0,
    add(key: string, max: number, forMs: number): void {
      until ??= new LRUCache({ max: maxRemembered })
      until.set(`${key} ${max}`, performance.now() + forMs)
    },
    /** Returns for how many milliseconds the key stays over its limit, or undefined if it is not over its limit. */
    remainingMs(key: string, max: number): number | undefined {
      const entry = `${key} ${max}`
      const endsAt = until?.get(entry)
      if (endsAt === undefined) return undefined
      const leftMs = endsAt - performance.now()
      if (leftMs > 0) return leftMs
      until?.delete(entry)
      return undefined
    },
  }
}

/** Counts a registration attempt without a required key attestation. Throws `too_many_requests` above the daily limit of the address. */
export async function countRegistration({ config, bus }: Deps, tenant: Tenant, address: string): Promise<void> {
  const max = tenant.settings.limits.registrationsPerDay ?? config.registrationsPerDay
  const { count, forgottenInMs } = await bus.dailyCounters.count(keyOf('registrationsPerDay', tenant, address), max)
  if (count > max) throw tooMany('registrationsPerDay', forgottenInMs, max)
}

/** Returns the tenant limit that a request to the route counts against, in addition to the limit of its address. */
function countedAs({
  countsAs,
  access,
  method,
  audit,
}: Route): 'issuancesPerMinute' | 'managementWritesPerMinute' | undefined {
  if (countsAs === 'issuance') return 'issuancesPerMinute'
  // A read that is audited writes too.
  return access.kind === 'operators' && (method !== 'GET' || audit) ? 'managementWritesPerMinute' : undefined
}

function keyOf(limit: Limit, tenant: Tenant, address = ''): string {
  return `${limit} ${tenant.id} ${address}`
}

function tooMany(limit: Limit, leftMs: number, max: number): Problem {
  limitsHit.inc({ limit })
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000))
  // Only the operators of the tenant read the message of their limit. Other limits concern anyone.
  const message =
    limit === 'managementWritesPerMinute' &&
    `The tenant can make at most ${max} changes per minute (limit ${limit}). Repeat the request after the time of Retry-After.`
  return new Problem('too_many_requests', { retryAfterSeconds, reason: limit, ...(message && { message }) })
}
