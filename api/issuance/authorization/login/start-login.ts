import type { AuthorizationRow } from '../../../../db/repos/issuance/sessions/authorizations.ts'
import { listAuthenticationProviders } from '../../../../db/repos/issuance/sign-in-providers.ts'
import { Problem, type ProblemOptions } from '../../../../shared/errors/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import type { Parameters } from '../schemas.ts'
import { beginLogin } from './begin-login.ts'

type StartedLogin = Awaited<ReturnType<typeof beginLogin>> & Pick<AuthorizationRow, 'requestParameters'>

/**
 * Starts a login at the provider of the tenant. `requestParameters` of the result are those of the `parameters` that the provider is
 * configured to get. Throws `sign_in_unavailable` if the tenant has no provider or the provider is unreachable.
 */
export async function startLogin(
  deps: Deps,
  tenant: Tenant,
  authorizationId: string,
  parameters: Parameters,
): Promise<StartedLogin> {
  const [provider] = await listAuthenticationProviders(deps.db.read, tenant.id, { limit: 1 })
  if (!provider) throw unavailable({ message: 'No identity provider is configured' })
  const requestParameters = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => provider.forwardedRequestParameters.includes(name)),
  )
  try {
    const login = await beginLogin(deps, tenant, provider, { id: authorizationId, requestParameters })
    return { ...login, requestParameters }
  } catch (cause) {
    deps.log.warn({ tenantId: tenant.id, providerId: provider.id, err: cause }, 'sign-in provider unreachable')
    throw unavailable({ message: 'The identity provider cannot be reached', cause })
  }
}

function unavailable(options: ProblemOptions): Problem {
  return new Problem('sign_in_unavailable', { ...options, check: 'provider_reached' })
}
