import { and, eq, exists, isNull, ne, or, type SQL } from 'drizzle-orm'
import type { Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { constant } from '../../../engine/prepared.ts'
import { shared } from '../../../hold.ts'
import { bulkIssuances } from '../../../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../../tables/issuance/claim-links.ts'
import { offers } from '../../../tables/issuance/offers.ts'

/**
 * Conditions of statements that write a claim link or its offer. They match if the bulk issuance of the link is not removed, and lock it
 * shared. So a removal that is committed ends all links, codes and tokens at once, although their rows are deleted later.
 */

const isBulkActive = and(
  inRow(bulkIssuances.tenantId, claimLinks.tenantId),
  eq(bulkIssuances.id, claimLinks.bulkId),
  ne(bulkIssuances.state, constant('removed')),
)

/** The bulk issuance of a claim link is not removed. */
export function isBulkOfLinkActive(tx: Writer): SQL {
  const bulk = tx.select({ id: bulkIssuances.id }).from(bulkIssuances).where(isBulkActive)
  return exists(shared(bulk, bulkIssuances))
}

/** An offer has no claim link, or the bulk issuance of its link is not removed. */
export function isBulkOfOfferActive(tx: Writer): SQL | undefined {
  const bulk = tx
    .select({ id: bulkIssuances.id })
    .from(claimLinks)
    .innerJoin(bulkIssuances, isBulkActive)
    .where(and(inRow(claimLinks.tenantId, offers.tenantId), eq(claimLinks.id, offers.claimLinkId)))
  return or(isNull(offers.claimLinkId), exists(shared(bulk, bulkIssuances)))
}
