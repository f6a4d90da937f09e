import { and, eq, exists, isNull, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Reader } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { constant } from '../../engine/prepared.ts'
import { authorizations } from '../../tables/issuance/authorizations.ts'
import { sessions } from '../../tables/issuance/sessions.ts'
import { users } from '../../tables/issuance/users.ts'
import { oauthClients } from '../../tables/issuance/wallets.ts'

/*
 * What was given to a wallet counts only with whom it was given to and what it came from. Whatever opens by an access token,
 * a code or a refresh token asks so, here, as a condition of the query that it makes anyway: what is deleted or revoked ends
 * everything of it at once, and nothing has to go and find what that was.
 */

/** The wallet's registration is still there, where it had one. */
export function registrationStands(
  db: Reader,
  { tenantId, registrationId }: { tenantId: PgColumn; registrationId: PgColumn },
): SQL | undefined {
  const registration = db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(and(inRow(oauthClients.tenantId, tenantId), eq(oauthClients.id, registrationId)))
  return or(isNull(registrationId), exists(registration))
}

/** A session with its client, its user, and its authorization where it came from one. */
export function sessionStands(db: Reader): SQL | undefined {
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
    registrationStands(db, sessions),
    exists(user),
    or(isNull(sessions.authorizationId), exists(authorization)),
  )
}

/** The same where the query has the session's user, and its authorization where there is one, joined to it. */
export function joinedSessionStands(db: Reader): SQL | undefined {
  return and(
    registrationStands(db, sessions),
    or(isNull(sessions.authorizationId), eq(authorizations.state, constant('redeemed'))),
  )
}
