import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import { presentAuthentication } from '../../relying-party/client-authentication.ts'
import { openServerSecret } from './client-secret.ts'

/** A saved server with its warnings for the operator. */
export interface SavedServer extends AuthorizationServerRow {
  warnings?: string[]
}

export function presentAuthorizationServer(row: SavedServer, tenant: Tenant, secrets: Secrets) {
  const { id, name, issuer, audience, jwtProfile, scopes, subjectClaim, claimsToPersist, userInfo } = row
  const { clientId, tokenEndpointAuthMethod, assertionAudience, warnings = [] } = row
  const clientSecret = openServerSecret(secrets, row)
  const authentication = { tokenEndpointAuthMethod, assertionAudience, clientSecret }
  return {
    ...{ id, name, issuer, audience, jwtProfile, scopes, subjectClaim, claimsToPersist, userInfo },
    ...(clientId === null ? {} : { introspection: { clientId, ...presentAuthentication(tenant, authentication) } }),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}
