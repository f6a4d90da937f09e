import { dayMs } from '../../shared/clock.ts'
import { claimLinkKeptDays } from '../../shared/domain/issuance/claim-links.ts'
import { bulkFileChunks, bulkIssuances, bulkRows } from '../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../tables/issuance/claim-links.ts'
import type { RetentionRule } from './retention-rule.ts'

/**
 * The retention of bulk issuances. The row of a bulk issuance is deleted after its file and its rows (removal.ts), and
 * first with its tenant, so that nothing is added afterwards.
 */
export const bulkRules: readonly RetentionRule[] = [
  {
    table: bulkIssuances,
    tenant: bulkIssuances.tenantId,
    ages: { by: bulkIssuances.expiresAt, afterMs: 0 },
  },
  {
    table: bulkFileChunks,
    tenant: bulkFileChunks.tenantId,
    with: { owner: bulkIssuances, by: bulkFileChunks.bulkId },
    weight: 32,
  },
  {
    table: bulkRows,
    tenant: bulkRows.tenantId,
    user: bulkRows.userId,
    with: { owner: bulkIssuances, by: bulkRows.bulkId },
  },
  // An expired link can be renewed for 30 days. Its claims are stored until then, or until it is collected.
  {
    table: claimLinks,
    tenant: claimLinks.tenantId,
    user: claimLinks.userId,
    ages: { by: claimLinks.expiresAt, afterMs: claimLinkKeptDays * dayMs },
  },
]
