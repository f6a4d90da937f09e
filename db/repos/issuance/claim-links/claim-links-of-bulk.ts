import { and, eq, exists, gt, inArray, isNull, like, ne, or, type SQL, sql } from 'drizzle-orm'
import { dayMs, plusMs } from '../../../../shared/clock.ts'
import { claimLinkKeptDays } from '../../../../shared/domain/issuance/claim-links.ts'
import type { Reader, Writer } from '../../../client.ts'
import { bulkIssuances as bulks } from '../../../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../../tables/issuance/claim-links.ts'
import { endOffer } from '../offers/offers.ts'

/** Returns the bulk issuance that has a link of the configuration with which a credential can be collected at the moment. */
export async function findBulkWithLinks(
  db: Reader,
  tenantId: string,
  configurationId: string,
  at: Date,
): Promise<string | undefined> {
  // A bulk issuance that has ended is kept for a time after the end of its last link.
  const mayHaveLinks = or(isNull(bulks.expiresAt), gt(bulks.expiresAt, plusMs(at, claimLinkKeptDays * dayMs)))
  const hasConfiguration = like(sql`cast(${bulks.configurationIds} as text)`, `%"${configurationId}"%`)
  const ofTenant = and(eq(bulks.tenantId, tenantId), eq(bulks.mode, 'links'), ne(bulks.state, 'removed'))
  const isOfBulk = and(eq(claimLinks.tenantId, tenantId), eq(claimLinks.bulkId, bulks.id))
  const hasUsable = (state: 'open' | 'opened') =>
    exists(
      db
        .select({ id: claimLinks.id })
        .from(claimLinks)
        .where(and(isOfBulk, eq(claimLinks.state, state), gt(claimLinks.expiresAt, at))),
    )
  const [bulk] = await db
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(ofTenant, mayHaveLinks, hasConfiguration, or(hasUsable('open'), hasUsable('opened'))))
    .limit(1)
  return bulk?.id
}

/**
 * Revokes links of a bulk issuance that are not collected: those of the rows, or the next `limit`. Ends their offers and the tokens of
 * wallets. Returns how many were revoked. Call it with a limit until it returns 0.
 */
export async function revokeClaimLinks(
  tx: Writer,
  tenantId: string,
  bulkId: string,
  which: { rows: number[] } | { limit: number },
  at: Date,
): Promise<number> {
  const links = 'rows' in which ? await findOfRows(tx, tenantId, bulkId, which.rows) : []
  if ('limit' in which) {
    // One state after the other, as the index is sorted by state.
    for (const state of ['opened', 'open'] as const)
      links.push(...(await findInState(tx, tenantId, bulkId, state, which.limit - links.length)))
  }
  if (links.length === 0) return 0
  // The order of hold.ts: offers before links.
  for (const offerId of links.flatMap((link) => link.offerId ?? []).sort()) await endOffer(tx, tenantId, offerId)
  const ids = links.map(({ id }) => id)
  const revoked = await tx
    .update(claimLinks)
    .set({ state: 'revoked', endedAt: at })
    .where(
      and(
        eq(claimLinks.tenantId, tenantId),
        inArray(claimLinks.id, ids),
        inArray(claimLinks.state, ['open', 'opened']),
      ),
    )
    .returning({ id: claimLinks.id })
  return revoked.length
}

const toEnd = { id: claimLinks.id, offerId: claimLinks.offerId }

function findOfRows(tx: Writer, tenantId: string, bulkId: string, rows: number[]) {
  return tx
    .select(toEnd)
    .from(claimLinks)
    .where(and(ofBulk(tenantId, bulkId), inArray(claimLinks.row, rows)))
}

function findInState(tx: Writer, tenantId: string, bulkId: string, state: 'open' | 'opened', limit: number) {
  return tx
    .select(toEnd)
    .from(claimLinks)
    .where(and(ofBulk(tenantId, bulkId), eq(claimLinks.state, state)))
    .limit(limit)
}

function ofBulk(tenantId: string, bulkId: string): SQL | undefined {
  return and(eq(claimLinks.tenantId, tenantId), eq(claimLinks.bulkId, bulkId))
}
