import type { AuthorizationRow } from '../../../../db/repos/issuance/sessions/authorizations.ts'
import type { TokenCall } from './grant.ts'

/**
 * Returns whether the calling wallet is the one that an authorization was granted to. The query of the authorization
 * has checked that the registration still exists (db/repos/issuance/sessions/session-validity.ts). An unregistered wallet continues
 * while the tenant admits public clients, or while it is attested by a trusted wallet provider.
 */
export function isAuthorizationOfClient({ tenant, client }: TokenCall, authorization: AuthorizationRow): boolean {
  const isRegistered = authorization.registrationId !== null || client.registrationId !== null
  const isKnown = isRegistered || authorization.instanceJkt !== null
  if (!isKnown && !tenant.settings.publicClients) return false
  return (
    authorization.clientId === client.clientId &&
    (authorization.instanceJkt === null || authorization.instanceJkt === client.instanceJkt)
  )
}
