import type { AuthorizationRow } from '../../../../db/repos/issuance/sessions/authorizations.ts'
import type { AuthenticationProviderRow } from '../../../../db/repos/issuance/sign-in-providers.ts'
import { hashSecret, newSecretOf } from '../../../../shared/ids.ts'
import { loginContext } from '../../../../shared/secrets/stored-contexts.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { type SignInSecrets, startAtProvider } from '../../../relying-party/sign-in.ts'
import { partyOf } from '../../sign-in-provider/discover.ts'
import { issuerOf } from '../../sign-in-provider/issuer.ts'
import { redirectUrlOf } from '../../sign-in-provider/present.ts'

/** The secrets of a login that the callback needs. */
export interface LoginSecrets extends SignInSecrets {
  providerId: string
  /** The issuer and client id of the login request. Absent in logins that an older version started. */
  issuer?: string
  clientId?: string
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
  const state = newSecretOf(id)
  const { url, secrets } = await startAtProvider(deps, partyOf(deps, provider), {
    ...requestParameters,
    ...textsOf(provider.staticRequestParameters),
    redirect_uri: redirectUrlOf(tenant),
    scope: provider.scope.join(' '),
    state,
  })
  const { id: providerId, clientId } = provider
  const login: LoginSecrets = { providerId, issuer: issuerOf(provider), clientId, ...secrets }
  const sealedLogin = deps.secrets.seal(JSON.stringify(login), loginContext(id))
  return { url, step: { stepHash: hashSecret(state), sealedLogin } }
}

export function openLogin(deps: Deps, { id, sealedLogin }: AuthorizationRow): LoginSecrets | undefined {
  // Boundary: `beginLogin` sealed it.
  return sealedLogin === null
    ? undefined
    : (JSON.parse(deps.secrets.open(sealedLogin, loginContext(id))) as LoginSecrets)
}

function textsOf(parameters: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
}
