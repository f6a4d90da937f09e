import type { AuthorizationRow } from '../../../../db/repos/issuance/authorizations.ts'
import type { TokenCall } from './grant.ts'

/**
 * Whether the wallet that calls is the one that an authorization was granted to. That a registration is still there was asked
 * where the authorization was read (db/repos/issuance/standing.ts); a wallet that has none goes on while the tenant admits such, or
 * while it is attested by a provider whom the tenant trusts.
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
