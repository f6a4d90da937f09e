import { holdShared } from '../../../db/hold.ts'
import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import { storeGrantToClient } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { insertSession, type SessionRow } from '../../../db/repos/issuance/sessions/sessions.ts'
import { spendProofs } from '../../../db/repos/issuance/sessions/spent-proofs.ts'
import { withUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import { authorizationServers } from '../../../db/tables/issuance/authorization-servers.ts'
import { derivedId, hashSecret } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import { viewIdOf } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { type SubjectContent, statesOfSubject, storeUserOfSubject } from '../users/user-of-subject.ts'
import type { CollectableConfigurations } from './granted.ts'

/** Returns the id of the session of a token, which is the same for each request with it. */
export function sessionIdOf({ tenantId, id }: AuthorizationServerRow, token: string): string {
  return derivedId('session of an external token', tenantId, id, hashSecret(token))
}

/** A verified token that is used for the first time. */
export interface NewTokenSession extends CollectableConfigurations {
  server: AuthorizationServerRow
  token: string
  person: SubjectContent
  clientId: string
  dpopJkt: string | null
  offerId: string | null
  expiresAt: Date
}

/**
 * Creates the session of a token, and the user of its subject. A token has one session, also after the session has ended: its hash is
 * spent with the first use. Returns false if the token was used before, or its server or user is deleted meanwhile.
 */
export async function createTokenSession(deps: Deps, tenant: Tenant, token: NewTokenSession): Promise<boolean> {
  const { server, person, expiresAt } = token
  const { id: tenantId } = tenant
  const use = { hash: hashSecret(`external token ${server.id} ${hashSecret(token.token)}`), expiresAt }
  const states = await statesOfSubject(deps.db.read, tenantId, person)
  return withUserTerms(states, (terms) =>
    deps.db
      .tx(async (tx) => {
        const held = await holdShared(tx, authorizationServers, tenantId, server.id)
        if (held?.issuer !== server.issuer) throw new NotCreated()
        if (!(await spendProofs(tx, tenantId, [use]))) throw new NotCreated()
        const at = deps.clock.now()
        const userId = await storeUserOfSubject(tx, tenantId, person, at, terms)
        if (userId === undefined) throw new NotCreated()
        const session = newSession(tenant, token, userId, at)
        const { authorizationId: id, configurationIds, offerId, viewId } = session
        await storeGrantToClient(
          tx,
          { id, tenantId, clientId: token.clientId, configurationIds, offerId, viewId, userId, expiresAt },
          at,
        )
        await insertSession(tx, session)
        return true
      })
      .catch((error: unknown) => {
        if (error instanceof NotCreated) return false
        throw error
      }),
  )
}

/** Rolls back. */
class NotCreated extends Error {}

/**
 * The authorization of the session is what the server granted to this client for this person, so that a refreshed token of the same
 * wallet collects what an earlier token deferred at the same view.
 */
function newSession(
  tenant: Tenant,
  { server, token, clientId, person: _person, ...granted }: NewTokenSession,
  userId: string,
  at: Date,
): SessionRow & { authorizationId: string } {
  const viewId = viewIdOf(tenant)
  const names = [tenant.id, server.id, userId, clientId, ...(viewId === null ? [] : [viewId])]
  return {
    ...granted,
    id: sessionIdOf(server, token),
    tenantId: tenant.id,
    userId,
    clientId,
    registrationId: null,
    tokenHash: hashSecret(token),
    authorizationId: derivedId('authorization of an external token', ...names),
    instanceJkt: null,
    viewId,
    exchangedHash: null,
    credentialsLeft: tenant.settings.maxCredentialsPerSession,
    sentAt: null,
    traceparent: null,
    createdAt: at,
  }
}
