import { and, eq, exists, isNull, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Reader } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { constant } from '../../../engine/prepared.ts'
import { authorizations } from '../../../tables/issuance/authorizations.ts'
import { sessions } from '../../../tables/issuance/sessions.ts'
import { users } from '../../../tables/issuance/users.ts'
import { oauthClients } from '../../../tables/issuance/wallets.ts'

/*
 * Access tokens, codes and refresh tokens are valid only while their user, client and authorization exist. Each query
 * that accepts one has this condition. A deletion or revocation so ends all tokens immediately, without a search for
 * them.
 */

/** Matches if the wallet's registration exists or it had none. */
export function isRegistrationValid(
  db: Reader,
  { tenantId, registrationId }: { tenantId: PgColumn; registrationId: PgColumn },
): SQL | undefined {
  const registration = db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(and(inRow(oauthClients.tenantId, tenantId), eq(oauthClients.id, registrationId)))
  return or(isNull(registrationId), exists(registration))
}

/** Matches a session whose client and user exist, and whose authorization, if any, is not revoked. */
export function isSessionValid(db: Reader): SQL | undefined {
  const user = db
    .select({ id: users.id })
    .from(users)
    .where(and(inRow(users.tenantId, sessions.tenantId), eq(users.id, sessions.userId)))
  const authorization = db
    .select({ id: authorizations.id })
    .from(authorizations)
    .where(
      and(
        inRow(authorizations.tenantId, sessions.tenantId),
        eq(authorizations.id, sessions.authorizationId),
        eq(authorizations.state, constant('redeemed')),
      ),
    )
  return and(
    isRegistrationValid(db, sessions),
    exists(user),
    or(isNull(sessions.authorizationId), exists(authorization)),
  )
}

/** Matches the same in a query that joins the session's user and its authorization, if any. */
export function isJoinedSessionValid(db: Reader): SQL | undefined {
  return and(
    isRegistrationValid(db, sessions),
    or(isNull(sessions.authorizationId), eq(authorizations.state, constant('redeemed'))),
  )
}
