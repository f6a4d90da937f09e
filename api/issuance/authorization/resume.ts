import { type AuthorizationRow, findAuthorization } from '../../../db/repos/issuance/authorizations.ts'
import type { AuthorizationState } from '../../../db/tables/issuance/authorizations.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { endCookies, isSameBrowser } from './browser.ts'
import { withReturnLink } from './return-link.ts'

/**
 * The authorization whose step a person comes back from. Throws for a state that is not this tenant's, not of this
 * browser, not of this step, or that was used; none of these says which.
 */
export async function resumeAuthorization(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  step: AuthorizationState,
  state: string,
): Promise<AuthorizationRow> {
  const row = await findAuthorization(deps.db.read, tenant.id, idOfSecret(state))
  if (!row) throw new Problem('sign_in_failed', { reason: 'The state is of no sign-in that is known here' })
  if (!isSameBrowser(deps, tenant, headers, row.id))
    throw new Problem('sign_in_failed', { reason: 'The sign-in began in another browser, or its cookie is gone' })
  const problem = findProblemOf(deps, tenant, row, step, state)
  if (problem) throw withReturnLink(tenant, row, problem)
  return row
}

/** Why it cannot be carried on, in the browser that began it. */
function findProblemOf(
  deps: Deps,
  tenant: Tenant,
  row: AuthorizationRow,
  step: AuthorizationState,
  state: string,
): Problem | undefined {
  // Somebody reloads the page, or goes back to it, whose wallet has its code.
  if (row.state === 'granted' || row.state === 'redeemed') return new Problem('sign_in_handed_back')
  if (row.expiresAt <= deps.clock.now())
    return new Problem('sign_in_expired', { headers: { 'Set-Cookie': endCookies(deps, tenant, row.id) } })
  if (row.state !== step || row.stepHash === null) return new Problem('sign_in_expired')
  if (equalInConstantTime(hashSecret(state), row.stepHash)) return undefined
  return new Problem('sign_in_failed', { reason: 'The state is not the one that was given' })
}
