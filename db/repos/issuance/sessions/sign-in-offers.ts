import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import type { Claims } from '../../../tables/issuance/users.ts'
import { isBulkOfOfferActive } from '../claim-links/active-bulk.ts'
import type { OfferRow } from '../offers/offers.ts'

/** An offer of a claim link whose person must sign in. The wallet gets an authorization code for it. */
export type SignInOffer = Pick<OfferRow, 'id' | 'state' | 'configurationIds' | 'viewId' | 'expiresAt' | 'sessionId'> & {
  claimLinkId: string
}

export async function findSignInOffer(db: Reader, tenantId: string, id: string): Promise<SignInOffer | undefined> {
  const { state, configurationIds, viewId, claimLinkId, expiresAt, sessionId } = offers
  const [row] = await db
    .select({ id: offers.id, state, configurationIds, viewId, claimLinkId, expiresAt, sessionId })
    .from(offers)
    .where(and(inRow(offers.tenantId, tenantId), eq(offers.id, id), eq(offers.needsSignIn, true)))
  return row && row.claimLinkId !== null ? { ...row, claimLinkId: row.claimLinkId } : undefined
}

/**
 * Exchanges the authorization code of the person who has signed in for a session: `usable` -> `spent`. The sign-in can take longer than
 * the offer is valid. Adds the claims of the interaction. Returns false if the offer is used, or was replaced by a newer one.
 */
export async function spendSignInOffer(
  tx: Writer,
  tenantId: string,
  id: string,
  { sessionId, userId, hookClaims }: { sessionId: string; userId: string; hookClaims: Claims | null },
): Promise<boolean> {
  const which = and(inRow(offers.tenantId, tenantId), eq(offers.id, id))
  const [spent] = await tx
    .update(offers)
    .set({ state: 'spent', sessionId, userId })
    .where(and(which, eq(offers.needsSignIn, true), inRow(offers.state, 'usable'), isBulkOfOfferActive(tx)))
    .returning({ claims: offers.claims })
  if (!spent) return false
  // The claims of the row come first.
  if (hookClaims)
    await tx
      .update(offers)
      .set({ claims: { ...hookClaims, ...spent.claims } })
      .where(which)
  return true
}
