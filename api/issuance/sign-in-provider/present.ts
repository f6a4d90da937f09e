import type { AuthenticationProviderRow } from '../../../db/repos/issuance/sign-in-providers.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import { presentAuthentication } from '../../relying-party/client-authentication.ts'
import { openClientSecret } from './client-secret.ts'

/** A saved provider with its warnings for the operator. */
export interface SavedProvider extends AuthenticationProviderRow {
  warnings?: string[]
}

export function presentAuthenticationProvider(row: SavedProvider, tenant: Tenant, secrets: Secrets) {
  return {
    id: row.id,
    url: row.url,
    redirectUrl: redirectUrlOf(tenant),
    scope: row.scope,
    clientId: row.clientId,
    ...presentAuthentication(tenant, { ...row, clientSecret: openClientSecret(secrets, row) }),
    staticRequestParameters: row.staticRequestParameters,
    forwardedRequestParameters: row.forwardedRequestParameters,
    claimsToPersist: row.claimsToPersist,
    ...(row.warnings?.length ? { warnings: row.warnings } : {}),
  }
}

/** Returns the callback to which the provider redirects people. The operator registers it at the provider. */
export function redirectUrlOf(tenant: Tenant): string {
  return `${tenant.baseUrl}/v1/oauth/authentication/callback`
}
