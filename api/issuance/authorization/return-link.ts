import type { AuthorizationRow } from '../../../db/repos/issuance/authorizations.ts'
import { findProblem, type Problem } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { redirectTo } from './redirect.ts'

/**
 * The problem with a way back to the wallet, for the page that is shown in the browser that began the authorization: the
 * redirect URI that was checked then, with an error. A wallet that nobody registered could be anybody's page, and gets no link;
 * neither does one that has its code.
 */
export function withReturnLink(tenant: Tenant, authorization: AuthorizationRow, problem: Problem): Problem {
  if (authorization.registrationId === null || problem.problem === 'sign_in_handed_back') return problem
  const told = { error: oauthErrorOf(problem), error_description: problem.message }
  problem.returnTo = redirectTo(tenant, authorization, told)
  return problem
}

/** What work on an authorization throws gets the way back. */
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

/** RFC 6749, section 4.1.2.1: an authorization that comes to nothing was denied, unless the fault is ours. */
function oauthErrorOf({ status, problem }: Problem): string {
  if (problem === 'service_unavailable') return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'access_denied'
}
