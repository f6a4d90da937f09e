import type { ConsoleProvider } from '../../access/console/provider.ts'
import type { Tenant } from '../../access/subjects.ts'
import { maskClientSecret } from '../../relying-party/masked-secret.ts'

export function presentConsoleProvider(tenant: Tenant, { clientSecret, ...provider }: ConsoleProvider) {
  const { id, name, issuer, clientId, tokenEndpointAuthMethod, scope, claim, userClaim, roles } = provider
  return {
    id,
    name,
    issuer,
    redirectUrl: `${tenant.baseUrl}${callbackPath}`,
    clientId,
    clientSecret: maskClientSecret(clientSecret),
    tokenEndpointAuthMethod,
    scope,
    claim,
    userClaim,
    roles,
  }
}

/** The redirect path. The provider returns people to it, at the host at which they started. */
export const callbackPath = '/console/session/callback'
