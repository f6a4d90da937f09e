import { z } from 'zod'
import { notFound } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { described } from '../../http/fields.ts'
import { requiresDpop } from '../../proofs/challenge.ts'
import { dpopAlgorithms } from '../../proofs/dpop-algorithms.ts'
import type { PublishedMetadata } from './schemas.ts'

/** The endpoints for wallets with an access token, by their last name. */
const endpoints = ['credential', 'deferred-credential', 'notification']

export const ResourceEndpoint = z.object({
  endpoint: described(z.string().max(100), `The last name of the path: ${endpoints.join(', ')}`, 'credential'),
})

/**
 * Returns the metadata of the tenant as a protected resource (RFC 9728, section 2). The resource is the issuer identifier, which wallets
 * send as `resource` (OpenID4VCI 1.0, section 5.1.2).
 */
export function resourceMetadata(
  tenant: Tenant,
  scopes: string[],
  otherServers: string[],
): PublishedMetadata['resource'] {
  const isDpopRequired = requiresDpop(tenant)
  return {
    resource: tenant.issuer,
    authorization_servers: [tenant.issuer, ...otherServers],
    ...(scopes.length > 0 ? { scopes_supported: scopes } : {}),
    ...(isDpopRequired ? {} : { bearer_methods_supported: ['header'] }),
    resource_name: tenant.name,
    dpop_signing_alg_values_supported: [...dpopAlgorithms],
    dpop_bound_access_tokens_required: isDpopRequired,
  }
}

/**
 * Returns the metadata for one endpoint. A client that follows a challenge compares `resource` with the URL that it requested (RFC 9728,
 * section 3.3). Throws `not_found` if there is no such endpoint.
 */
export function resourceMetadataOf(
  endpoint: string,
  metadata: PublishedMetadata['resource'],
): PublishedMetadata['resource'] {
  if (!endpoints.includes(endpoint)) throw notFound('endpoint', endpoint)
  return { ...metadata, resource: endpointUrl(metadata.resource, endpoint) }
}

/** Returns the identifiers of all resources of a tenant. */
export function resourcesOf({ issuer }: Tenant): string[] {
  return [issuer, ...endpoints.map((endpoint) => endpointUrl(issuer, endpoint))]
}

function endpointUrl(issuer: string, endpoint: string): string {
  return `${issuer}/v1/openid/${endpoint}`
}
