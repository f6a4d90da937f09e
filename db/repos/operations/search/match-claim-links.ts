import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { type BulkSource, bulkSources } from '../../../../shared/domain/issuance/bulk-issuances.ts'
import type { Reader } from '../../../client.ts'
import { bulkIssuances, bulkRows } from '../../../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../../tables/issuance/claim-links.ts'
import type { FoundObject } from './search.ts'

/** The number of the newest bulk issuances with links of each source that a search looks into. */
const newestBulks = 500

/** A claim link that a search found, and the bulk issuance that made it. */
export type FoundClaimLink = FoundObject & { bulkIssuanceId: string }

/** Finds claim links by their external id, in the newest bulk issuances. Reads one index entry for each of them. */
export async function matchClaimLinks(
  db: Reader,
  tenantId: string,
  externalId: string,
  limit: number,
): Promise<FoundClaimLink[]> {
  const newest = await Promise.all(bulkSources.map((source) => findNewestBulks(db, tenantId, source)))
  const ids = newest.flat()
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: claimLinks.id, name: bulkRows.externalId, bulkIssuanceId: claimLinks.bulkId })
    .from(bulkRows)
    .innerJoin(
      claimLinks,
      and(
        eq(claimLinks.tenantId, bulkRows.tenantId),
        eq(claimLinks.bulkId, bulkRows.bulkId),
        eq(claimLinks.row, bulkRows.row),
      ),
    )
    .where(and(eq(bulkRows.tenantId, tenantId), inArray(bulkRows.bulkId, ids), eq(bulkRows.externalId, externalId)))
    .limit(limit)
  return rows.map(({ name, ...row }) => ({ ...row, name: name ?? undefined }))
}

async function findNewestBulks(db: Reader, tenantId: string, source: BulkSource): Promise<string[]> {
  const withLinks = and(eq(bulkIssuances.mode, 'links'), ne(bulkIssuances.state, 'removed'))
  const bulks = await db
    .select({ id: bulkIssuances.id })
    .from(bulkIssuances)
    .where(and(eq(bulkIssuances.tenantId, tenantId), eq(bulkIssuances.source, source), withLinks))
    .orderBy(desc(bulkIssuances.createdAt), desc(bulkIssuances.id))
    .limit(newestBulks)
  return bulks.map(({ id }) => id)
}
