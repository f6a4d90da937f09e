import * as openid from 'openid-client'
import type { AuthorizationRow } from '../../../../db/repos/issuance/authorizations.ts'
import type { AuthenticationProviderRow } from '../../../../db/repos/issuance/sign-in-providers.ts'
import { hashSecret, newSecretOf } from '../../../../shared/ids.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { discoverProvider } from '../../sign-in-provider/discover.ts'
import { issuerOf } from '../../sign-in-provider/issuer.ts'
import { redirectUrlOf } from '../../sign-in-provider/present.ts'

/** The secrets of a login that the callback needs. */
export interface LoginSecrets {
  providerId: string
  /** The issuer and client id of the login request. Absent in logins that an older version started. */
  issuer?: string
  clientId?: string
  nonce: string
  codeVerifier: string
}

/**
 * Returns the URL of the provider's sign-in page and the login state to store. Rejects if the provider is unreachable.
 */
export async function beginLogin(
  deps: Deps,
  tenant: Tenant,
  provider: AuthenticationProviderRow,
  { id, requestParameters }: Pick<AuthorizationRow, 'id' | 'requestParameters'>,
): Promise<{ url: URL; step: Pick<AuthorizationRow, 'stepHash' | 'sealedLogin'> }> {
  const configuration = await discoverProvider(deps, provider)
  const state = newSecretOf(id)
  const secrets: LoginSecrets = {
    providerId: provider.id,
    issuer: issuerOf(provider),
    clientId: provider.clientId,
    nonce: openid.randomNonce(),
    codeVerifier: openid.randomPKCECodeVerifier(),
  }
  const url = openid.buildAuthorizationUrl(configuration, {
    ...requestParameters,
    ...textsOf(provider.staticRequestParameters),
    redirect_uri: redirectUrlOf(tenant),
    scope: provider.scope.join(' '),
    state,
    nonce: secrets.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
  })
  const sealedLogin = deps.secrets.seal(JSON.stringify(secrets), contextOf(id))
  return { url, step: { stepHash: hashSecret(state), sealedLogin } }
}

export function openLogin(deps: Deps, { id, sealedLogin }: AuthorizationRow): LoginSecrets | undefined {
  // Boundary: `beginLogin` sealed it.
  return sealedLogin === null ? undefined : (JSON.parse(deps.secrets.open(sealedLogin, contextOf(id))) as LoginSecrets)
}

const contextOf = (authorizationId: string) => `login of ${authorizationId}`

function textsOf(parameters: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
}
