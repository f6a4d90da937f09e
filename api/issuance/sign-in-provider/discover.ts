import type { AuthenticationProviderRow } from '../../../db/repos/issuance/sign-in-providers.ts'
import type { Deps } from '../../deps.ts'
import { describeDiscoveryError, fetchProvider } from '../../relying-party/discover.ts'
import type { RelyingParty } from '../../relying-party/relying-party.ts'
import { openClientSecret } from './client-secret.ts'

export function partyOf({ secrets }: Deps, provider: AuthenticationProviderRow): RelyingParty {
  const { url: issuer, clientId, tokenEndpointAuthMethod, assertionAudience, tenantId } = provider
  const clientSecret = openClientSecret(secrets, provider)
  return { issuer, clientId, tokenEndpointAuthMethod, assertionAudience, tenantId, clientSecret }
}

/** The timeout, because the operator waits for the response. */
const triedMs = 2_000

/** Returns the warnings about a provider at which people cannot sign in yet. Empty if discovery succeeds. */
export async function findDiscoveryWarnings(deps: Deps, provider: AuthenticationProviderRow): Promise<string[]> {
  try {
    await fetchProvider(deps, partyOf(deps, provider), triedMs)
    return []
  } catch (error) {
    deps.log.info({ err: error, providerId: provider.id }, 'provider discovery failed')
    return [`People cannot sign in yet: OpenID Connect Discovery at url failed (${describeDiscoveryError(error)})`]
  }
}
