import type { Configuration } from 'openid-client'
import type { AuthenticationProviderRow } from '../../../db/repos/issuance/sign-in-providers.ts'
import type { Deps } from '../../deps.ts'
import { askProvider, discover, type RelyingParty, whyUndiscovered } from '../../relying-party/discover.ts'
import { openClientSecret } from './client-secret.ts'

/** The tenant's provider as it describes itself, asked again after ten minutes or a change. */
export function discoverProvider(deps: Deps, provider: AuthenticationProviderRow): Promise<Configuration> {
  return discover(deps, partyOf(deps, provider))
}

export function partyOf({ secrets }: Deps, provider: AuthenticationProviderRow): RelyingParty {
  const { url: issuer, clientId, tokenEndpointAuthMethod } = provider
  return { issuer, clientId, tokenEndpointAuthMethod, clientSecret: openClientSecret(secrets, provider) }
}

/** While whoever configures a provider waits. */
const triedMs = 2_000

/** What an operator is told of a provider at which nobody could sign in now; empty where discovery works. */
export async function findDiscoveryWarnings(deps: Deps, provider: AuthenticationProviderRow): Promise<string[]> {
  try {
    await askProvider(deps, partyOf(deps, provider), triedMs)
    return []
  } catch (error) {
    deps.log.info({ err: error, providerId: provider.id }, 'discovery at a provider did not work')
    return [`Nobody can sign in yet: OpenID Connect Discovery at url did not work (${whyUndiscovered(error)})`]
  }
}
