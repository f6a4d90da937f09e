import * as openid from 'openid-client'
import { type AuthorizationRow, moveAuthorization } from '../../../../db/repos/issuance/authorizations.ts'
import {
  type AuthenticationProviderRow,
  findAuthenticationProvider,
} from '../../../../db/repos/issuance/sign-in-providers.ts'
import { TooManyClaims } from '../../../../db/repos/issuance/users.ts'
import type { Claims } from '../../../../db/tables/issuance/users.ts'
import { Problem, type ProblemOptions } from '../../../../shared/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import type { Answer } from '../../../http/representations/answer.ts'
import type { Headers } from '../../../http/route.ts'
import { isProviderTrouble } from '../../../relying-party/discover.ts'
import { discoverProvider } from '../../sign-in-provider/discover.ts'
import { issuerOf } from '../../sign-in-provider/issuer.ts'
import { redirectUrlOf } from '../../sign-in-provider/present.ts'
import { afterLogin } from '../after-login.ts'
import { refuseAuthorization, refuseUnasked } from '../refuse.ts'
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
  about: (offerId: string | null) => void,
): Promise<Answer> {
  const { state = '' } = answer
  const found = await resumeAuthorization(deps, tenant, headers, 'login', state)
  about(found.offerId)
  return addReturnLinkOnError(tenant, found, continueLogin(deps, tenant, found, answer))
}

async function continueLogin(
  deps: Deps,
  tenant: Tenant,
  found: AuthorizationRow,
  answer: Record<string, string>,
): Promise<Answer> {
  const secrets = openLogin(deps, found)
  // Each state is used once. A second response with the same state finds no step.
  const used = { stepHash: null, sealedLogin: null }
  const authorization = await deps.db.tx((tx) => moveAuthorization(tx, found, used, deps.clock.now()))
  if (!authorization || !secrets) throw new Problem('sign_in_expired')
  if (answer.error === 'access_denied') {
    return refuseAuthorization(deps, tenant, authorization, new Problem('sign_in_cancelled'))
  }
  if (answer.error !== undefined) {
    const message = 'The identity provider refused the sign-in'
    const problem = new Problem('sign_in_unavailable', { message, check: 'provider_error' })
    return refuseUnasked(deps, tenant, authorization, problem)
  }
  const provider = await findAuthenticationProvider(deps.db.read, tenant.id, secrets.providerId)
  const refuse = (options: ProblemOptions) =>
    refuseAuthorization(deps, tenant, authorization, new Problem('sign_in_unavailable', options))
  if (!provider)
    return refuse({ message: 'The identity provider is not configured any more', check: 'provider_settings' })
  // A response of one provider is neither sent to another provider nor accepted as its response.
  const { issuer = issuerOf(provider), clientId = provider.clientId } = secrets
  if (issuer !== issuerOf(provider) || clientId !== provider.clientId) {
    return refuse({ message: 'The identity provider was changed during the sign-in', check: 'provider_settings' })
  }
  try {
    const claims = await claimsFrom(deps, tenant, provider, secrets, answer)
    const userId = await userOf(deps, tenant, provider, claims)
    return await afterLogin(deps, tenant, authorization, userId)
  } catch (error) {
    if (error instanceof TooManyClaims) {
      const message = error.messageFor('claimsToPersist of the authentication provider')
      return refuse({ message, check: 'provider_code' })
    }
    if (!isProviderTrouble(error)) throw error
    // The cause can contain data of the provider, so only its code is logged.
    deps.log.warn({ tenantId: tenant.id, code: error.code ?? error.name }, 'sign-in failed at the provider')
    const message = 'The identity provider gave no valid answer'
    const check = isIdTokenFault(error) ? 'id_token' : 'provider_code'
    return refuse({ message, check, reason: `${message}: ${faultOf(error)}` })
  }
}

/** Returns the user's claims. The library performs all checks of the response and the ID token. */
async function claimsFrom(
  deps: Deps,
  tenant: Tenant,
  provider: AuthenticationProviderRow,
  { nonce, codeVerifier }: LoginSecrets,
  answer: Record<string, string>,
): Promise<Claims & { sub: string }> {
  const configuration = await discoverProvider(deps, provider)
  const url = new URL(redirectUrlOf(tenant))
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  const tokens = await deps.withoutSlot(
    openid.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: codeVerifier,
      expectedState: answer.state ?? '',
      expectedNonce: nonce,
      idTokenExpected: true,
    }),
  )
  const idToken = tokens.claims()
  if (!idToken) throw new Problem('sign_in_failed', { check: 'id_token' })
  const isComplete = provider.claimsToPersist.every((name) => Object.hasOwn(idToken, name))
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return { ...idToken }
  const userInfo = await deps.withoutSlot(openid.fetchUserInfo(configuration, tokens.access_token, idToken.sub))
  return { ...userInfo, ...idToken }
}

/**
 * Returns the message of the library's failed check. It names claims and checks but contains no claim values. Other
 * nested errors may contain some.
 */
function faultOf(error: Error): string {
  return (failedCheck(error) ?? error).message
}

/** Returns whether the library refused the ID token. Then the failed check names a part of the JWT, or the JWT itself. */
function isIdTokenFault(error: Error): boolean {
  const part = failedCheck(error)?.cause
  if (typeof part !== 'object' || part === null) return typeof part === 'string'
  return ['header', 'claims', 'signature'].some((name) => name in part)
}

function failedCheck({ cause }: Error): Error | undefined {
  return cause instanceof Error && cause.name === 'OperationProcessingError' ? cause : undefined
}
