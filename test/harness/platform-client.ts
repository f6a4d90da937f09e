import type { Api } from './api-client.ts'
import { createApi } from './api-client.ts'
import { type Service, type TestTenant, tokenOf } from './harness.ts'

/** Creates a client of the tenant on the platform host, so that no client of the tenant knows its secret. */
export async function platformClient(
  { platform, origin }: Pick<Service, 'platform' | 'origin'>,
  { id, host }: TestTenant,
  ...roles: string[]
): Promise<Api & { clientId: string }> {
  const { body } = await platform.post(`/v1/tenants/${id}/clients`, { name: roles.join(' '), roles })
  const api = createApi(origin, host, await tokenOf(origin, host, body.clientId, body.clientSecret))
  return { ...api, clientId: body.clientId }
}
