import { and, desc, eq, gte, lte, or, sql } from 'drizzle-orm'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import type { Reader } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { offerFailures } from '../../tables/issuance/offer-failures.ts'
import { offers } from '../../tables/issuance/offers.ts'
import { isCurrent } from '../issuance/offers/offer-failures.ts'

/** The number of hours whose offers are counted. An offer is kept for a day after it expired. */
export const recentHours = 24

/** Returns the start of the first of the recent hours. The current hour is the last one. */
export function startOfRecentHours(at: Date): Date {
  return plusMs(new Date(Math.floor(at.getTime() / hourMs) * hourMs), (1 - recentHours) * hourMs)
}

/** An offer for one person. `failed`: its last request failed. `expired`: no wallet used it. `open`: it can still be collected. */
export type OfferOutcome = 'collected' | 'failed' | 'expired' | 'open'

/**
 * Returns the outcomes of the tenant's newest offers since `from`, at most `limit`, the newest first. An offer of a claim link that was not
 * collected has none, because the link makes another one.
 */
export async function findRecentOffers(
  db: Reader,
  tenantId: string,
  { from, at, limit }: { from: Date; at: Date; limit: number },
): Promise<{ createdAt: Date; outcome: OfferOutcome | null }[]> {
  const failure = and(inRow(offerFailures.tenantId, tenantId), eq(offerFailures.id, offers.id), isCurrent)
  const isOver = or(eq(offers.state, 'ended'), lte(offers.expiresAt, at))
  const outcome = sql<OfferOutcome | null>`case
    when ${offers.state} = 'claimed' then 'collected'
    when ${offerFailures.id} is not null then 'failed'
    when ${isOver} then case when ${offers.claimLinkId} is null then 'expired' end
    else 'open' end`
  return db
    .select({ createdAt: offers.createdAt, outcome })
    .from(offers)
    .leftJoin(offerFailures, failure)
    .where(and(eq(offers.tenantId, tenantId), gte(offers.createdAt, from)))
    .orderBy(desc(offers.createdAt), desc(offers.id))
    .limit(limit)
}
