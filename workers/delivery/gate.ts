import { Postpone } from '../serve.ts'

/** How many deliveries one process has under way, waiting ones included. */
export const deliverySlots = 64

/** Of these, one tenant makes this many at a time, */
const tenantShare = deliverySlots / 4
/** and all tenants with slow receivers together this many. The rest is for the others, always. */
const slowShare = (deliverySlots / 4) * 3

/** A tenant is slow when its attempts take longer on average, or when one that is under way has. */
const slowMs = 500
/** How long a slot is held in the hope that another delivery of the tenant ends. */
const patienceMs = 100
const shortestPostponementMs = 250
const longestPostponementMs = 30_000
const averageOver = 8

export interface Gate {
  /** Waits for the tenant's turn; returns the function that ends it. Throws `Postpone` when it is too far away. */
  enter(tenantId: string): Promise<() => void>
}

interface Tenant {
  /** When those that are under way began, in milliseconds, the oldest first. */
  underWay: Set<{ since: number }>
  waiting: Set<(run: { since: number }) => void>
  averageMs: number
  /** Up to when turns are given away to postponed deliveries. */
  turnsGivenUntil: number
}

/**
 * Keeps a tenant whose receiver is slow from delaying the others. Fast deliveries wait for each other here; slow ones
 * are put back on the queue, each to about the time at which it can be made.
 */
export function createGate(): Gate {
  const tenants = new Map<string, Tenant>()

  function isSlow({ averageMs, underWay }: Tenant): boolean {
    const [oldest] = underWay
    return averageMs > slowMs || (oldest !== undefined && performance.now() - oldest.since > slowMs)
  }

  function slowUnderWay(): number {
    let sum = 0
    for (const tenant of tenants.values()) if (isSlow(tenant)) sum += tenant.underWay.size
    return sum
  }

  function leave(tenantId: string, tenant: Tenant, run: { since: number }): void {
    tenant.underWay.delete(run)
    tenant.averageMs += (performance.now() - run.since - tenant.averageMs) / averageOver
    const [next] = tenant.waiting
    if (next) next(begin(tenant))
    else if (tenant.underWay.size === 0 && tenant.averageMs <= slowMs) tenants.delete(tenantId)
  }

  function begin(tenant: Tenant): { since: number } {
    const run = { since: performance.now() }
    tenant.underWay.add(run)
    return run
  }

  function postponed(tenant: Tenant): Postpone {
    const at = performance.now()
    const everyMs = Math.max(tenant.averageMs, patienceMs) / tenantShare
    const turn = Math.max(at + shortestPostponementMs, tenant.turnsGivenUntil + everyMs)
    tenant.turnsGivenUntil = Math.min(turn, at + longestPostponementMs)
    return new Postpone(Math.round((tenant.turnsGivenUntil - at) * (1 + Math.random() / 5)))
  }

  return {
    async enter(tenantId) {
      const tenant = tenants.get(tenantId) ?? newTenant()
      tenants.set(tenantId, tenant)
      const slow = isSlow(tenant)
      const isFree = tenant.underWay.size < tenantShare && tenant.waiting.size === 0
      if (isFree && !(slow && slowUnderWay() >= slowShare)) return endOf(begin(tenant))
      const run = slow ? undefined : await turnOf(tenant)
      if (!run) throw postponed(tenant)
      return endOf(run)

      function endOf(run: { since: number }) {
        return () => leave(tenantId, tenant, run)
      }
    },
  }
}

function newTenant(): Tenant {
  return { underWay: new Set(), waiting: new Set(), averageMs: 0, turnsGivenUntil: 0 }
}

/** Undefined when it did not come in time. */
function turnOf(tenant: Tenant): Promise<{ since: number } | undefined> {
  return new Promise((resolve) => {
    const take = (run?: { since: number }) => {
      clearTimeout(timer)
      tenant.waiting.delete(take)
      resolve(run)
    }
    const timer = setTimeout(take, patienceMs)
    tenant.waiting.add(take)
  })
}
