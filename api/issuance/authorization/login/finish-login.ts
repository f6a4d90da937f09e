import { type AuthorizationRow, advanceAuthorization } from '../../../../db/repos/issuance/sessions/authorizations.ts'
import {
  type AuthenticationProviderRow,
  findAuthenticationProvider,
} from '../../../../db/repos/issuance/sign-in-providers.ts'
import { TooManyClaims } from '../../../../db/repos/issuance/users/users.ts'
import { Problem, type ProblemOptions } from '../../../../shared/errors/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import type { AttributedIds } from '../../../http/attributed-ids.ts'
import type { Answer } from '../../../http/representations/answer.ts'
import type { Headers } from '../../../http/route.ts'
import {
  finishAtProvider,
  type PreparedFinish,
  type ProviderClaims,
  prepareFinish,
} from '../../../relying-party/sign-in.ts'
import { claimsToMatch, findHolder } from '../../claim-links/holder.ts'
import { partyOf } from '../../sign-in-provider/discover.ts'
import { issuerOf } from '../../sign-in-provider/issuer.ts'
import { redirectUrlOf } from '../../sign-in-provider/present.ts'
import { afterLogin } from '../after-login.ts'
import { refuseAuthorization, refuseSilentSignIn } from '../refuse.ts'
import { resumeAuthorization } from '../resume.ts'
import { addReturnLinkOnError } from '../return-link.ts'
import { type LoginSecrets, openLogin } from './begin-login.ts'
import { userOf } from './user.ts'

/**
 * Handles the return of a person from the provider (OpenID Connect Core 1.0, section 3.1.2.5). Returns the next
 * redirect.
 */
export async function finishLogin(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  answer: Record<string, string>,
  about: (offerId: string | null, names: AttributedIds) => void,
): Promise<Answer> {
  const { state = '' } = answer
  const authorization = await resumeAuthorization(deps, tenant, headers, 'login', state)
  about(authorization.offerId, { viewId: authorization.viewId })
  return addReturnLinkOnError(tenant, authorization, continueLogin(deps, tenant, authorization, answer))
}

async function continueLogin(
  deps: Deps,
  tenant: Tenant,
  begun: AuthorizationRow,
  answer: Record<string, string>,
): Promise<Answer> {
  const secrets = openLogin(deps, begun)
  if (!secrets) throw new Problem('sign_in_expired')
  const prepared = answer.error === undefined ? await prepareLogin(deps, tenant, secrets) : undefined
  // Each state is used once. A second response with the same state finds no step.
  const used = { stepHash: null, sealedLogin: null }
  const authorization = await deps.db.tx((tx) => advanceAuthorization(tx, begun, used, deps.clock.now()))
  if (!authorization) throw new Problem('sign_in_expired')
  if (answer.error === 'access_denied') {
    return refuseAuthorization(deps, tenant, authorization, new Problem('sign_in_cancelled'))
  }
  if (!prepared) {
    const message = 'The identity provider refused the sign-in'
    const problem = new Problem('sign_in_unavailable', { message, check: 'provider_error' })
    return refuseSilentSignIn(deps, tenant, authorization, problem)
  }
  if (prepared.changed !== undefined)
    return refuseSignIn(deps, tenant, authorization, { message: prepared.changed, check: 'provider_settings' })
  const { provider } = prepared
  const needed = [...provider.claimsToPersist, ...(await claimsToMatch(deps, tenant, authorization))]
  const { claims, failure } = await finishAtProvider(deps, prepared.finish, {
    ...secrets,
    redirectUri: redirectUrlOf(tenant),
    answer,
    isComplete: (idToken) => needed.every((name) => Object.hasOwn(idToken, name)),
    used: ['sub', ...needed],
  })
  if (failure) {
    // Events contain the reason. The log contains only the code.
    deps.log.warn({ tenantId: tenant.id, code: failure.code }, 'sign-in failed at the provider')
    const message = 'The response of the identity provider is invalid'
    const check = failure.kind === 'id_token' ? 'id_token' : 'provider_code'
    return refuseSignIn(deps, tenant, authorization, { message, check, reason: `${message}: ${failure.reason}` })
  }
  return continueAs(deps, tenant, authorization, { provider, claims })
}

/** Continues as the person that signed in, or as the holder of the claim link. Refuses a person other than this holder. */
async function continueAs(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  { provider, claims }: { provider: AuthenticationProviderRow; claims: ProviderClaims },
): Promise<Answer> {
  const subject = { providerId: provider.id, issuer: issuerOf(provider), subjectId: claims.sub }
  const holder = await findHolder(deps, tenant, authorization, { subject, claims })
  if (holder.refused !== undefined) {
    const problem = new Problem('sign_in_of_other', { reason: holder.refused })
    return refuseAuthorization(deps, tenant, authorization, problem)
  }
  try {
    const userId = await userOf(deps, tenant, provider, claims)
    return await afterLogin(deps, tenant, authorization, holder.userId ?? userId)
  } catch (error) {
    if (!(error instanceof TooManyClaims)) throw error
    const message = error.messageFor('claimsToPersist of the authentication provider')
    return refuseSignIn(deps, tenant, authorization, { message, check: 'provider_code' })
  }
}

function refuseSignIn(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  options: ProblemOptions,
): Promise<Answer> {
  return refuseAuthorization(deps, tenant, authorization, new Problem('sign_in_unavailable', options))
}

type PreparedLogin =
  | { provider: AuthenticationProviderRow; finish: PreparedFinish; changed?: never }
  /** The change of the settings since the login began. */
  | { changed: string }

/** Prepares the end of a login before its state is used. Throws `service_unavailable`, after which the person can reload the page. */
async function prepareLogin(deps: Deps, tenant: Tenant, secrets: LoginSecrets): Promise<PreparedLogin> {
  const provider = await findAuthenticationProvider(deps.db.read, tenant.id, secrets.providerId)
  if (!provider) return { changed: 'The identity provider is not configured any more' }
  // A response of one provider is neither sent to another provider nor accepted as its response.
  const { issuer = issuerOf(provider), clientId = provider.clientId } = secrets
  if (issuer !== issuerOf(provider) || clientId !== provider.clientId)
    return { changed: 'The identity provider was changed during the sign-in' }
  return { provider, finish: await prepareFinish(deps, partyOf(deps, provider)) }
}
