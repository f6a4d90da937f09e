import { type AuthorizationRow, moveAuthorization } from '../../db/repos/authorizations.ts'
import type { Problem } from '../../shared/errors.ts'
import type { Tenant } from '../access/subjects.ts'
import type { Deps } from '../deps.ts'
import type { Answer } from '../http/route.ts'
import { answerBy, redirectTo } from './redirect.ts'

/** Ends an authorization, and tells the wallet why. */
export async function refuseAuthorization(
  deps: Deps,
  tenant: Tenant,
  authorization: AuthorizationRow,
  problem: Problem,
): Promise<Answer> {
  const ended = { state: 'ended' as const, stepHash: null, sealedLogin: null, hookClaims: null }
  await deps.db.tx((tx) => moveAuthorization(tx, authorization, ended, deps.clock.now()))
  const told = { error: problem.code, error_description: problem.message }
  return answerBy(redirectTo(tenant, authorization, told), problem)
}
