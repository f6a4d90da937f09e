import { Postpone } from '../serve.ts'

/** How many deliveries one process has under way, waiting ones included. */
export const deliverySlots = 128

/** Of these, one tenant makes this many at a time, */
const tenantShare = deliverySlots / 4
/** and all tenants with slow receivers together this many. The rest is for the others, always. */
const slowShare = (deliverySlots / 4) * 3

/** A tenant is slow when its receivers take longer on average, or when one that was asked has. */
const slowMs = 300
/** How often a delivery that waits for its turn looks whether its tenant has become slow. */
const lookEveryMs = 100
const shortestPostponementMs = 250
const longestPostponementMs = 30_000
const averageOver = 8

export interface Turn {
  /** Runs the receiver's part, whose duration says whether the tenant is slow. */
  measure<Result>(work: () => Promise<Result>): Promise<Result>
  end(): void
}

export interface Gate {
  /** Waits for the tenant's turn. Throws `Postpone` when it is too far away. */
  enter(tenantId: string): Promise<Turn>
}

interface Tenant {
  underWay: number
  waiting: Set<() => void>
  /** When the receivers that have not answered yet were asked, the longest ago first. */
  asked: Set<{ at: number }>
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

  function slowUnderWay(): number {
    let sum = 0
    for (const tenant of tenants.values()) if (isSlow(tenant)) sum += tenant.underWay
    return sum
  }

  function turnOf(tenantId: string, tenant: Tenant): Turn {
    return {
      measure: (work) => measure(tenant, work),
      end() {
        tenant.underWay--
        const [next] = tenant.waiting
        if (next) next()
        else if (tenant.underWay === 0 && !isSlow(tenant)) tenants.delete(tenantId)
      },
    }
  }

  return {
    async enter(tenantId) {
      const tenant = tenants.get(tenantId) ?? newTenant()
      tenants.set(tenantId, tenant)
      const isFree = tenant.underWay < tenantShare && tenant.waiting.size === 0
      const slow = isSlow(tenant)
      if (isFree && !(slow && slowUnderWay() >= slowShare)) tenant.underWay++
      else if (slow || !(await waited(tenant))) throw postponed(tenant)
      return turnOf(tenantId, tenant)
    },
  }
}

function newTenant(): Tenant {
  return { underWay: 0, waiting: new Set(), asked: new Set(), averageMs: 0, turnsGivenUntil: 0 }
}

function isSlow({ averageMs, asked }: Tenant): boolean {
  const [oldest] = asked
  return averageMs > slowMs || (oldest !== undefined && performance.now() - oldest.at > slowMs)
}

async function measure<Result>(tenant: Tenant, work: () => Promise<Result>): Promise<Result> {
  const asked = { at: performance.now() }
  tenant.asked.add(asked)
  try {
    return await work()
  } finally {
    tenant.asked.delete(asked)
    tenant.averageMs += (performance.now() - asked.at - tenant.averageMs) / averageOver
  }
}

/** True when a turn came, and is taken; false when the tenant has become slow. */
function waited(tenant: Tenant): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (taken: boolean) => {
      clearInterval(timer)
      tenant.waiting.delete(take)
      resolve(taken)
    }
    const take = () => {
      tenant.underWay++
      settle(true)
    }
    const timer = setInterval(() => isSlow(tenant) && settle(false), lookEveryMs)
    tenant.waiting.add(take)
  })
}

function postponed(tenant: Tenant): Postpone {
  const at = performance.now()
  const turn = Math.max(at + shortestPostponementMs, tenant.turnsGivenUntil + tenant.averageMs / tenantShare)
  tenant.turnsGivenUntil = Math.min(turn, at + longestPostponementMs)
  return new Postpone(Math.round((tenant.turnsGivenUntil - at) * (1 + Math.random() / 5)))
}
