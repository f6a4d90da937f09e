import type { ConsoleProvider } from '../../access/console/provider.ts'
import type { Tenant } from '../../access/subjects.ts'
import { presentAuthentication } from '../../relying-party/client-authentication.ts'

export function presentConsoleProvider(tenant: Tenant, provider: ConsoleProvider) {
  const { id, name, issuer, clientId, scope, claim, userClaim, roles } = provider
  return {
    id,
    name,
    issuer,
    redirectUrl: `${tenant.baseUrl}${callbackPath}`,
    clientId,
    ...presentAuthentication(tenant, provider),
    scope,
    claim,
    userClaim,
    roles,
  }
}

/** The redirect path. The provider returns people to it, at the host at which they started. */
export const callbackPath = '/console/session/callback'
