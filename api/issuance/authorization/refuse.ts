import { type AuthorizationRow, advanceAuthorization } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Answer } from '../../http/representations/answer.ts'
import { endCookies } from './browser.ts'
import { redirectAnswer, redirectTo } from './redirect.ts'
import { spendRequest } from './spend-request.ts'

/** Ends an authorization and returns the error to the wallet. */
export async function refuseAuthorization(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  problem: Problem,
): Promise<Answer> {
  const ended = { state: 'ended' as const, stepHash: null, sealedLogin: null, hookClaims: null }
  await deps.db.tx(async (tx) => {
    await advanceAuthorization(tx, authorization, ended, deps.clock.now())
    await spendRequest(tx, authorization)
  })
  const parameters = { error: problem.code, error_description: problem.message }
  const cookies = endCookies(deps, tenant, authorization)
  return redirectAnswer(redirectTo(tenant, authorization, parameters), { refused: problem, cookies })
}

/**
 * Ends an authorization that may not have involved a person, as with `prompt=none`. An unregistered wallet gets no
 * redirect in this case.
 */
export async function refuseSilentSignIn(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  problem: Problem,
): Promise<Answer> {
  const answer = await refuseAuthorization(deps, tenant, authorization, problem)
  if (authorization.registrationId !== null) return answer
  const headers = { 'Set-Cookie': endCookies(deps, tenant, authorization) }
  throw new Problem(problem.problem, { message: problem.message, check: problem.check, headers })
}
