import type { Api, ApiResponse } from './api-client.ts'
import type { TestTenant } from './harness.ts'

let last = 0
/** Returns a new address without earlier requests. */
export const newAddress = () => `192.0.2.${++last}`

/** The header of a request from an address, of a proxy that the service trusts. */
export const from = (address: string) => ({ 'x-forwarded-for': address })

/** Exchanges a client secret for a token, from an address. */
export function signIn(
  tenant: TestTenant,
  secret: string,
  address: string,
  api: Api = tenant.anonymous,
): Promise<ApiResponse> {
  const body = { client_id: tenant.clientId, client_secret: secret, grant_type: 'client_credentials' }
  return api.post('/oauth/token', body, from(address))
}
