import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Writer } from '../client.ts'
import { endOffer } from '../repos/issuance/offers/offers.ts'
import { bulkFileChunks, bulkIssuances, bulkRows } from '../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../tables/issuance/claim-links.ts'
import { type Removal, removalOf } from './removal.ts'

/** The links whose offers end in one transaction. The end of an offer takes as long as the removal of several rows. */
const maxEndedOffers = 100

/** Returns the removal of the claim links of a deleted bulk issuance. Ends their offers. */
export function claimLinksRemoval(tenantId: string, bulkId: string): Removal {
  const ofBulk = and(eq(claimLinks.tenantId, tenantId), eq(claimLinks.bulkId, bulkId))
  return async (tx, limit) => {
    const opened = await tx
      .select({ id: claimLinks.id, offerId: claimLinks.offerId })
      .from(claimLinks)
      .where(and(ofBulk, eq(claimLinks.state, 'opened')))
      .limit(maxEndedOffers)
    // The order of hold.ts: offers before links.
    for (const offerId of opened.flatMap((link) => link.offerId ?? []).sort()) await endOffer(tx, tenantId, offerId)
    const ids = opened.map(({ id }) => id)
    await tx.delete(claimLinks).where(and(ofBulk, inArray(claimLinks.id, ids)))
    if (opened.length === maxEndedOffers) return limit
    return removalOf(claimLinks, ofBulk)(tx, limit)
  }
}

/** Returns the removal of the uploaded file of a bulk issuance. */
export function bulkFileRemoval(tenantId: string, bulkId: string): Removal {
  return removalOf(bulkFileChunks, and(eq(bulkFileChunks.tenantId, tenantId), eq(bulkFileChunks.bulkId, bulkId)))
}

/** Returns the removal of the rows of a bulk issuance. */
export function bulkRowRemoval(tenantId: string, bulkId: string): Removal {
  return removalOf(bulkRows, and(eq(bulkRows.tenantId, tenantId), eq(bulkRows.bulkId, bulkId)))
}

/** The bulk issuances that expired first. One of them is purged next. */
const candidates = 100

/**
 * Removes the file, the claim links and the rows of an expired bulk issuance, and the bulk issuance itself when they are removed. The
 * smallest one comes first, so that it does not wait for large ones.
 */
export async function purgeBulkIssuances(tx: Writer, before: Date, limit: number): Promise<number> {
  const { id, expiresAt, total, sizeBytes } = bulkIssuances
  // The size is counted in rows of 100 bytes. An upload that was abandoned has bytes only.
  const size = sql<number>`${total} + ${sizeBytes} / 100`.as('size')
  const expired = tx
    .select({ id, expiresAt, size })
    .from(bulkIssuances)
    .where(lt(expiresAt, before))
    .orderBy(asc(expiresAt))
    .limit(candidates)
    .as('expired')
  const smallest = tx
    .select({ id: expired.id })
    .from(expired)
    .orderBy(asc(expired.size), asc(expired.expiresAt), asc(expired.id))
    .limit(1)
  // An upload in progress then fails, because the bulk issuance is removed.
  const [bulk] = await tx
    .update(bulkIssuances)
    .set({ state: 'removed' })
    .where(and(eq(bulkIssuances.id, smallest), lt(bulkIssuances.expiresAt, before)))
    .returning({ id: bulkIssuances.id, tenantId: bulkIssuances.tenantId })
  if (!bulk) return 0
  for (const removal of [bulkFileRemoval, claimLinksRemoval, bulkRowRemoval]) {
    if ((await removal(bulk.tenantId, bulk.id)(tx, limit)) > 0) return limit
  }
  // The transaction has no locks of offers: a wallet that collects locks its offer first, and then the bulk issuance.
  await tx.delete(bulkIssuances).where(eq(bulkIssuances.id, bulk.id))
  return limit
}
