import type { AuthorizationRow } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { findProblem, type Problem, withReturnTo } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { redirectTo } from './redirect.ts'

/**
 * Returns the problem with a link back to the wallet, for the problem page in the browser that started the authorization. The
 * link is the checked redirect URI with an error. An unregistered wallet gets no link, because it could be any website. A wallet
 * that already has its code gets no link either.
 */
export function withReturnLink(tenant: Tenant, authorization: AuthorizationRow, problem: Problem): Problem {
  if (authorization.registrationId === null || problem.problem === 'sign_in_handed_back') return problem
  const parameters = { error: oauthErrorOf(problem), error_description: problem.message }
  return withReturnTo(problem, redirectTo(tenant, authorization, parameters))
}

/** Adds the return link to a problem that `work` throws. */
export async function addReturnLinkOnError<Result>(
  tenant: Tenant,
  authorization: AuthorizationRow,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const problem = findProblem(error)
    throw problem ? withReturnLink(tenant, authorization, problem) : error
  }
}

/** RFC 6749, section 4.1.2.1: a failed authorization is `access_denied`, unless the server caused the failure. */
function oauthErrorOf({ status, problem }: Problem): string {
  if (problem === 'service_unavailable') return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'access_denied'
}
