import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Reader } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, prepared } from '../../../engine/prepared.ts'
import { authorizations } from '../../../tables/issuance/authorizations.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import { sessions } from '../../../tables/issuance/sessions.ts'
import { authenticationProviders } from '../../../tables/issuance/sign-in-providers.ts'
import { type Claims, users } from '../../../tables/issuance/users.ts'
import { isJoinedSessionValid } from '../sessions/session-validity.ts'
import type { SessionRow } from '../sessions/sessions.ts'

/** The sources of the claims of a credential. */
export interface KnownClaims {
  userClaims: Claims
  subjectId: string | null
  providerUrl: string | null
  /** Null if the offer does not exist or there was none. */
  offerClaims: Claims | null
  /** The claims from the interaction hook. */
  hookClaims: Claims | null
}

const bySession = prepared('session_with_claims', (db) =>
  db
    .select({
      ...getTableColumns(sessions),
      userClaims: users.claims,
      subjectId: users.subjectId,
      // The issuer of a user of an authorization server.
      providerUrl: sql<string | null>`coalesce(${authenticationProviders.url}, ${users.issuer})`,
      offerClaims: offers.claims,
      hookClaims: authorizations.hookClaims,
    })
    .from(sessions)
    .innerJoin(users, and(inRow(users.tenantId, sessions.tenantId), eq(users.id, sessions.userId)))
    .leftJoin(
      authenticationProviders,
      and(inRow(authenticationProviders.tenantId, sessions.tenantId), eq(authenticationProviders.id, users.providerId)),
    )
    .leftJoin(offers, and(inRow(offers.tenantId, sessions.tenantId), eq(offers.id, sessions.offerId)))
    .leftJoin(
      authorizations,
      and(inRow(authorizations.tenantId, sessions.tenantId), eq(authorizations.id, sessions.authorizationId)),
    )
    .where(and(inRow(sessions.tenantId, param('tenantId')), eq(sessions.id, param('id')), isJoinedSessionValid(db))),
)

/** Returns a session like `findSession`, with all sources of its claims in the same query. */
export async function findSessionWithClaims(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<(SessionRow & KnownClaims) | undefined> {
  const [row] = await bySession(db, { tenantId, id })
  return row
}
