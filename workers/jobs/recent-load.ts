import { LRUCache } from 'lru-cache'

/** The number of items by which the load of a tenant decreases in a second: about what the workers process of one job. */
const decreasePerSecond = 200
const maxLoad = 5_000
const maxTenants = 10_000

/**
 * Creates a counter of recent items per tenant. Each call counts one item and returns the number before it. The number decreases over
 * time, so it is 0 for a tenant without recent items. As a priority it lets the items of such a tenant overtake thousands of another tenant.
 */
export function createRecentLoad(now: () => number = () => performance.now()): (tenantId: string) => number {
  const tenants = new LRUCache<string, { load: number; at: number }>({ max: maxTenants })
  return (tenantId) => {
    const { load, at } = tenants.get(tenantId) ?? { load: 0, at: now() }
    const current = Math.max(0, load - ((now() - at) / 1_000) * decreasePerSecond)
    tenants.set(tenantId, { load: Math.min(current + 1, maxLoad), at: now() })
    return Math.floor(current)
  }
}
