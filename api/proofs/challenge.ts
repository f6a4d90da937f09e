import { followsHaip } from '../../shared/domain/tenancy/protocol-profiles.ts'
import type { Application } from '../http/application.ts'
import { dpopAlgorithms } from './dpop-algorithms.ts'

type Tenant = Application['tenant']

/** The well-known path of RFC 9728, section 3. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/** Whether the tenant accepts only access tokens that are bound to a key (HAIP 1.0, section 4). */
export function requiresDpop({ profile }: Pick<Tenant, 'profile'>): boolean {
  return followsHaip(profile)
}

/** Returns the challenge for a request that must have a DPoP proof (RFC 9449, section 7.1). `url` is that of the endpoint. */
export function dpopChallenge(url: string, error?: string): Record<string, string> {
  const parameters = [...errorOf(error), `algs="${dpopAlgorithms.join(' ')}"`, metadataOf(url)]
  return { 'WWW-Authenticate': `DPoP ${parameters.join(', ')}` }
}

/**
 * Returns the challenges of all schemes that the tenant accepts: `Bearer` and `DPoP`, or only `DPoP`. The description has no
 * quotation marks.
 */
export function tokenChallenges(
  tenant: Tenant,
  url: string,
  error?: { code: string; description: string },
): Record<string, string> {
  if (requiresDpop(tenant)) return dpopChallenge(url, error?.code)
  const description = error ? [`error_description="${error.description}"`] : []
  const parameters = [...errorOf(error?.code), ...description, metadataOf(url)]
  const dpop = dpopChallenge(url)['WWW-Authenticate']
  return { 'WWW-Authenticate': `Bearer ${parameters.join(', ')}, ${dpop}` }
}

function errorOf(code: string | undefined): string[] {
  return code === undefined ? [] : [`error="${code}"`]
}

/** RFC 9728, sections 3.1 and 5.1: the well-known path stands before the path of the resource. */
function metadataOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `resource_metadata="${origin}${resourceMetadataPath}${pathname}"`
}
