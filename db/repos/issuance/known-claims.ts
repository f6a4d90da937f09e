import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared } from '../../prepared.ts'
import { authorizations } from '../../tables/issuance/authorizations.ts'
import { offers } from '../../tables/issuance/offers.ts'
import { authenticationProviders } from '../../tables/issuance/sign-in-providers.ts'
import { type Claims, users } from '../../tables/issuance/users.ts'

/** Where the claims of a credential come from. */
export interface KnownClaimsRow {
  userClaims: Claims
  subjectId: string | null
  providerUrl: string | null
  /** Null where the offer is gone, or there was none. */
  offerClaims: Claims | null
  /** Given by the interaction hook. */
  hookClaims: Claims | null
}

const byUserAndOffer = prepared('known_claims', (db) =>
  db
    .select({
      userClaims: users.claims,
      subjectId: users.subjectId,
      providerUrl: authenticationProviders.url,
      offerClaims: offers.claims,
      hookClaims: authorizations.hookClaims,
    })
    .from(users)
    .leftJoin(
      authenticationProviders,
      and(inRow(authenticationProviders.tenantId, users.tenantId), eq(authenticationProviders.id, users.providerId)),
    )
    .leftJoin(offers, and(inRow(offers.tenantId, users.tenantId), eq(offers.id, param('offerId'))))
    .leftJoin(
      authorizations,
      and(inRow(authorizations.tenantId, users.tenantId), eq(authorizations.id, param('authorizationId'))),
    )
    .where(and(inRow(users.tenantId, param('tenantId')), eq(users.id, param('userId')))),
)

/** All sources in one look; undefined when the user is gone. */
export async function findKnownClaims(
  db: Reader,
  tenantId: string,
  { userId, offerId, authorizationId }: { userId: string; offerId: string | null; authorizationId: string | null },
): Promise<KnownClaimsRow | undefined> {
  const [row] = await byUserAndOffer(db, {
    tenantId,
    userId,
    offerId: offerId ?? '',
    authorizationId: authorizationId ?? '',
  })
  return row
}
