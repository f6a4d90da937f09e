import { randomBytes } from 'node:crypto'
import { type ApiClient, createTrustwright, dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import { UsageError } from '../command.ts'
import { fetchFrom } from '../fetch-from.ts'

/** The tenant of a load test. */
export interface LoadTarget {
  tenantId: string
  baseUrl: string
  /** A client of the tenant that repeats no request, so that each request is measured. */
  client: ApiClient
  /** How the operator removes what the test made, if the program is killed. */
  removal: string
  /** Removes what the test made. The records of credentials in a tenant that existed stay. */
  remove(configurationId: string | undefined): Promise<void>
}

interface Wishes {
  deferred: boolean
}

const name = 'Load test'
/** A code that ISO 3166-1 leaves to its users. */
const country = 'XX'

/**
 * Creates a tenant with a root certificate. All wallets of the test have one address, so that the tenant has no limit for each address.
 * Throws a `UsageError` unless the client is of the platform.
 */
export async function createOwnTenant(platform: ApiClient, { deferred }: Wishes): Promise<LoadTarget> {
  await requirePlatform(platform)
  const subdomain = `load-${randomBytes(4).toString('hex')}`
  const limits = { anonymousPerMinute: 0 }
  const deferredIssuance = deferred ? 'whenSlow' : 'never'
  const body = { name, subdomain, createRoot: true, country, limits, deferredIssuance } as const
  const { id: tenantId, baseUrl, client } = await dataOf(platform.POST('/v1/tenants', { body }))
  return {
    ...{ tenantId, baseUrl, client: clientOf(baseUrl, client) },
    removal: `trustwright api DELETE /v1/tenants/${tenantId}`,
    async remove() {
      await dataOf(platform.DELETE('/v1/tenants/{tenantId}', { params: { path: { tenantId } } }))
    },
  }
}

/**
 * Uses a tenant that exists, with a client of its own. Its limits stay. Throws a `UsageError` if it can be in production, unless that is
 * allowed, and if no certificate of it can sign.
 */
export async function useTenant(
  platform: ApiClient,
  tenantId: string,
  { allowProduction }: { allowProduction: boolean },
): Promise<LoadTarget> {
  await requirePlatform(platform)
  const params = { path: { tenantId } }
  const tenant = await dataOf(platform.GET('/v1/tenants/{tenantId}', { params }))
  const { baseUrl } = tenant
  if (new URL(baseUrl).protocol === 'https:' && !allowProduction)
    throw new UsageError(
      `The tenant ${tenant.name} (${baseUrl}) can be in production. Its records of the credentials of the test stay. ` +
        'Leave --tenant out, or give --allow-production.',
    )
  const created = await dataOf(
    platform.POST('/v1/tenants/{tenantId}/clients', { params, body: { name, roles: ['issuer'] } }),
  )
  const { clientId } = created
  const client = clientOf(baseUrl, created)
  return {
    ...{ tenantId, baseUrl, client },
    removal: `trustwright api DELETE /v1/tenants/${tenantId}/clients/${clientId}`,
    async remove(configurationId) {
      if (configurationId !== undefined) await removeConfiguration(client, configurationId)
      const path = { tenantId, clientId }
      await dataOf(platform.DELETE('/v1/tenants/{tenantId}/clients/{clientId}', { params: { path } }))
    },
  }
}

async function requirePlatform(client: ApiClient): Promise<void> {
  try {
    await dataOf(client.GET('/v1/tenants', { params: { query: { limit: 1 } } }))
  } catch (error) {
    if (!(error instanceof TrustwrightError) || ![403, 404].includes(error.status)) throw error
    throw new UsageError(
      'This needs a client of the platform, which creates and deletes the tenant of the test. Run ' +
        '"trustwright login --profile platform --base-url https://PLATFORM_HOST --client-id ID", and give --profile platform.',
    )
  }
}

function clientOf(baseUrl: string, { clientId, clientSecret }: { clientId: string; clientSecret: string }): ApiClient {
  return createTrustwright({ baseUrl, clientId, clientSecret, maxRetryMs: 0, fetch: fetchFrom(baseUrl, fetch) })
}

/** Creates the configuration of the test, an SD-JWT VC, and returns its id. Throws a `UsageError` if no certificate of the tenant can sign. */
export async function createLoadConfiguration({ client }: LoadTarget, { revocable }: { revocable: boolean }) {
  const roots = await dataOf(client.GET('/v1/overview/signing-roots'))
  if (!roots.data.some(({ iacaId }) => iacaId !== undefined))
    throw new UsageError('The tenant has no root certificate that signs. Run "trustwright certificates create-root".')
  const claimMappings = { given_name: { mapFrom: 'claims.given_name' }, family_name: { mapFrom: 'claims.family_name' } }
  const body = { name, claimMappings, includeStatus: revocable, expiresIn: { days: 1 } }
  return (await dataOf(client.POST('/v2/credentials/sd-jwt/configurations', { body }))).id
}

/** Withdraws the offers that the end of the test left open, and deletes the configuration. */
async function removeConfiguration(client: ApiClient, id: string): Promise<void> {
  for (;;) {
    const query = { configurationId: id, state: 'usable', limit: 100 } as const
    const { data } = await dataOf(client.GET('/v1/openid/offers', { params: { query } }))
    if (data.length === 0) break
    for (const offer of data)
      await dataOf(client.DELETE('/v1/openid/offers/{id}', { params: { path: { id: offer.id } } }))
  }
  await dataOf(client.DELETE('/v2/credentials/sd-jwt/configurations/{id}', { params: { path: { id } } }))
}
