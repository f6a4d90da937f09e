import type { AuthorizationRow } from '../../db/repos/authorizations.ts'
import type { Tenant } from '../access/subjects.ts'

/** RFC 6749, section 4.1.2.1, and OpenID Connect Core 1.0, section 3.1.2.6. */
export type AuthorizationError =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_authorization_details'
  | 'request_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'

/** Where an answer goes: a client and redirect URI that were checked. */
export type Destination = Pick<AuthorizationRow, 'redirectUri' | 'clientState'>

/** The wallet's redirect URI with an answer, and `iss` (RFC 9207, section 2) in successes and errors alike. */
export function redirectTo(tenant: Tenant, to: Destination, answer: Record<string, string>): URL {
  const url = new URL(to.redirectUri)
  const parameters = { ...answer, ...(to.clientState === null ? {} : { state: to.clientState }), iss: tenant.baseUrl }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}
