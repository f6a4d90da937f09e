import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk-issuances.ts'
import { countClaimLinks } from '../../../db/repos/issuance/claim-links-of-bulk.ts'
import type { Deps } from '../../deps.ts'

/** The counts of the claim links of a bulk issuance. */
export type LinkCounts = Awaited<ReturnType<typeof countClaimLinks>>

/** Counts that this process read. */
export interface CachedLinkCounts {
  counts: Promise<LinkCounts>
  /** On the clock of `performance.now()`. */
  freshUntil: number
}

/** A count takes at most this part of the time of one CPU. A small bulk issuance is counted at each request. */
const maxShare = 0.05

/** Counts the claim links of a bulk issuance by state. The counts of many links can be some seconds old. */
export function countLinks({ db, clock, caches }: Deps, { tenantId, id }: BulkIssuanceRow): Promise<LinkCounts> {
  const known = caches.linkCounts.get(id)
  const startedAt = performance.now()
  if (known && known.freshUntil > startedAt) return known.counts
  const counts = countClaimLinks(db.read, tenantId, id, clock.now())
  const entry = { counts, freshUntil: Number.POSITIVE_INFINITY }
  caches.linkCounts.set(id, entry)
  const settle = () => {
    const endedAt = performance.now()
    entry.freshUntil = endedAt + (endedAt - startedAt) / maxShare
  }
  counts.then(settle, () => caches.linkCounts.delete(id))
  return counts
}
