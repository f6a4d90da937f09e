import {
  type AuthorizationRow,
  advanceAuthorization,
  findAuthorization,
} from '../../../../db/repos/issuance/sessions/authorizations.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import type { Answer } from '../../../http/representations/answer.ts'
import { startLogin } from '../login/start-login.ts'
import { redirectAnswer } from '../redirect.ts'
import { refuseAuthorization } from '../refuse.ts'
import { addReturnLinkOnError } from '../return-link.ts'
import { reviewPath } from './address.ts'

export const reviewAnswers = ['continue', 'cancel'] as const

/**
 * Redirects a person after the review: to the sign-in, or back to the wallet with `access_denied`. Throws `sign_in_unavailable` if the
 * provider is unreachable. The person can then reload the page.
 */
export function answerReview(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  answer: (typeof reviewAnswers)[number],
): Promise<Answer> {
  if (answer === 'continue')
    return addReturnLinkOnError(tenant, authorization, continueToLogin(deps, tenant, authorization))
  const problem = new Problem('sign_in_cancelled', { check: 'review_confirmed' })
  return refuseAuthorization(deps, tenant, authorization, problem)
}

async function continueToLogin(deps: Deps, tenant: Tenant, authorization: AuthorizationRow): Promise<Answer> {
  const { id, requestParameters } = authorization
  // The login that began with the authorization may have been left. Its state is not valid any more.
  const { url, step } = await startLogin(deps, tenant, id, requestParameters)
  const at = deps.clock.now()
  const moved = await deps.db.tx(async (tx) => {
    const first = await advanceAuthorization(tx, authorization, step, at)
    if (first) return first
    // The button was pressed twice. The browser follows the response to the second press, so its sign-in is the valid one.
    const current = await findAuthorization(tx, tenant.id, id)
    return current?.state === 'login' ? advanceAuthorization(tx, current, step, at) : undefined
  })
  // The review shows whether the person can still continue.
  return redirectAnswer(moved ? url.href : reviewPath(deps, tenant, id))
}
