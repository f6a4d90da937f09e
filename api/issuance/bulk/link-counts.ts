import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { countClaimLinks, type LinkCounts } from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'

/** The counts of more links are cached. Those of fewer take some milliseconds. */
const maxUncached = 20_000
/** Counts that are cached take at most this part of the time of one CPU. */
const maxShare = 0.05

interface CachedLinkCounts {
  counts: Promise<LinkCounts>
  /** When the counts are read again, by `performance.now()`. */
  freshUntil: number
}

/** The counts of many claim links, by bulk issuance. */
const linkCountsCache = defineCache<string, CachedLinkCounts>('linkCounts', { max: 1_000 })

/** Counts the claim links of a bulk issuance by state. The counts of many links can be some seconds old. */
export function countLinks({ db, clock, caches }: Deps, bulk: BulkIssuanceRow): Promise<LinkCounts> {
  const { tenantId, id, done } = bulk
  if (done <= maxUncached) return countClaimLinks(db.read, tenantId, id, clock.now())
  const cache = caches.of(linkCountsCache)
  const cached = cache.get(id)
  const startedAt = performance.now()
  if (cached && cached.freshUntil > startedAt) return cached.counts
  const counts = countClaimLinks(db.read, tenantId, id, clock.now())
  const entry = { counts, freshUntil: Number.POSITIVE_INFINITY }
  cache.set(id, entry)
  const settle = () => {
    const endedAt = performance.now()
    entry.freshUntil = endedAt + (endedAt - startedAt) / maxShare
  }
  counts.then(settle, () => cache.delete(id))
  return counts
}
