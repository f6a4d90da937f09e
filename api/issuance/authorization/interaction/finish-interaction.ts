import { findInteractionHook, type InteractionHookRow } from '../../../../db/repos/issuance/interaction-hooks.ts'
import type { AuthorizationRow } from '../../../../db/repos/issuance/sessions/authorizations.ts'
import { TooManyClaims } from '../../../../db/repos/issuance/users/users.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import type { AttributedIds } from '../../../http/attributed-ids.ts'
import type { Answer } from '../../../http/representations/answer.ts'
import type { Headers } from '../../../http/route.ts'
import { grantCode } from '../grant-code.ts'
import { resumeAuthorization } from '../resume.ts'
import { addReturnLinkOnError } from '../return-link.ts'
import { sessionTokenProblem, stateOf, verifySessionToken } from './session-token.ts'

/**
 * Handles the return of a person from the operator's component, and redirects to the wallet with a code. The
 * authorization is looked up before the token is verified. So a token error appears in the timeline of the offer.
 */
export async function finishInteraction(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  token: string,
  about: (offerId: string | null, names: AttributedIds) => void,
): Promise<Answer> {
  const hook = await findInteractionHook(deps.db.read, tenant.id)
  if (!hook) throw new Problem('sign_in_failed', { reason: 'There is no interaction hook' })
  const authorization = await resumeAuthorization(deps, tenant, headers, 'interaction', stateOf(token))
  about(authorization.offerId, { viewId: authorization.viewId })
  return addReturnLinkOnError(
    tenant,
    authorization,
    grantAfterInteraction(deps, tenant, authorization, { hook, token }),
  )
}

async function grantAfterInteraction(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  { hook, token }: { hook: InteractionHookRow; token: string },
): Promise<Answer> {
  const { claims, claimsToPersist } = await verifySessionToken(deps, tenant, hook, token)
  const { userId } = authorization
  if (userId === null) throw new Error('an interaction has no user')
  const persisted = Object.fromEntries(
    claimsToPersist.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]),
  )
  try {
    return await grantCode(deps, tenant, authorization, { userId, hookClaims: claims }, persisted)
  } catch (error) {
    if (error instanceof TooManyClaims)
      throw sessionTokenProblem('session_token_content', error.messageFor('claimsToPersist'))
    throw error
  }
}
