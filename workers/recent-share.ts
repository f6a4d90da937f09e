import { LRUCache } from 'lru-cache'

/** About what the workers get done of one kind, which is how fast a tenant's rush is forgotten. */
const perSecond = 200
/** From here on all are equally urgent. */
const most = 5_000
const tenantsKept = 10_000

/**
 * How much of late was a tenant's, before this: 0 for one that was quiet, `most` in a rush. It costs no query, and makes
 * what a quiet tenant asks for overtake another's thousands.
 */
export function createRecentShare(now: () => number = () => performance.now()): (tenantId: string) => number {
  const tenants = new LRUCache<string, { level: number; at: number }>({ max: tenantsKept })
  return (tenantId) => {
    const { level, at } = tenants.get(tenantId) ?? { level: 0, at: now() }
    const left = Math.max(0, level - ((now() - at) / 1_000) * perSecond)
    tenants.set(tenantId, { level: Math.min(left + 1, most), at: now() })
    return Math.floor(left)
  }
}
