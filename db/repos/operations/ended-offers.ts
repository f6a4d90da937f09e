import { and, asc, eq, gt, gte, lte } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { afterCursor } from '../../page.ts'
import { offerFailures } from '../../tables/issuance/offer-failures.ts'
import { offers } from '../../tables/issuance/offers.ts'
import type { IssuanceOutcome } from '../../tables/operations/issuance-outcomes.ts'
import { walks } from '../../tables/operations/walks.ts'
import { isCurrent } from '../issuance/offers/offer-failures.ts'
import type { Range } from './webhooks/found-events.ts'

/**
 * Returns offers of all tenants that expired after `after` and until `until`, the first expired first. The outcome is undefined for an offer
 * that was collected, whose code a wallet exchanged without a failure, or that a claim link replaces. Such offers are returned too, so that a
 * page reads a limited part of the index.
 */
export async function findOfferOutcomes(db: Reader, { after, until, cursor, limit }: Range) {
  const { id, tenantId, expiresAt, state, claimLinkId } = offers
  const behind = and(cursor && gte(expiresAt, cursor.at), afterCursor(expiresAt, id, cursor))
  const failure = and(inRow(offerFailures.tenantId, tenantId), eq(offerFailures.id, id), isCurrent)
  const rows = await db
    .select({ id, tenantId, expiresAt, state, claimLinkId, failureId: offerFailures.id })
    .from(offers)
    .leftJoin(offerFailures, failure)
    .where(and(gt(expiresAt, after), lte(expiresAt, until), behind))
    .orderBy(asc(expiresAt), asc(id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenantId,
    at: row.expiresAt,
    outcome: outcomeOf(row),
  }))
}

interface EndedOffer {
  state: string
  claimLinkId: string | null
  failureId: string | null
}

function outcomeOf({ state, claimLinkId, failureId }: EndedOffer): IssuanceOutcome | undefined {
  if (state === 'claimed') return undefined
  if (state === 'ended' || failureId !== null) return 'failed'
  return state === 'usable' && claimLinkId === null ? 'expired' : undefined
}

const walkId = 'expired_offers'

/** Moves the walk over expired offers from one cursor to the next. Returns false if another run has moved it. */
export async function advanceOfferWalk(tx: Writer, from: string, to: string, at: Date): Promise<boolean> {
  const moved = { cursor: to, startedAt: at }
  const rows = from
    ? await tx
        .update(walks)
        .set(moved)
        .where(and(eq(walks.id, walkId), eq(walks.cursor, from)))
        .returning({ id: walks.id })
    : await tx
        .insert(walks)
        .values({ ...moved, id: walkId, hasLeft: false, clearedAt: null })
        .onConflictDoNothing()
        .returning({ id: walks.id })
  return rows.length === 1
}

/** Returns the cursor of the walk over expired offers. Empty before the first run. */
export async function findOfferWalk(db: Reader): Promise<string> {
  const [row] = await db.select({ cursor: walks.cursor }).from(walks).where(eq(walks.id, walkId))
  return row?.cursor ?? ''
}
