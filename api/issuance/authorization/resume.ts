import { type AuthorizationRow, findAuthorization } from '../../../db/repos/issuance/sessions/authorizations.ts'
import type { AuthorizationState } from '../../../db/tables/issuance/authorizations.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import { tracing } from '../../../shared/tracing/tracing.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { endCookies, isSameBrowser } from './browser.ts'
import { withReturnLink } from './return-link.ts'

/**
 * Returns the authorization whose step a person returns from. Throws if the state belongs to another tenant, another
 * browser or another step, or was already used. The response does not reveal which of these it was.
 */
export async function resumeAuthorization(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  step: AuthorizationState,
  state: string,
): Promise<AuthorizationRow> {
  const row = await findAuthorization(deps.db.read, tenant.id, idOfSecret(state))
  if (!row) throw new Problem('sign_in_failed', { reason: 'The state belongs to no known sign-in' })
  if (!isSameBrowser(deps, tenant, headers, row.id))
    throw new Problem('sign_in_failed', { reason: 'The sign-in began in another browser, or its cookie was deleted' })
  tracing?.join(row.traceparent)
  const problem = findProblemOf(deps, tenant, row, step, state)
  if (problem) throw withReturnLink(tenant, row, problem)
  return row
}

/** Returns the reason why the authorization cannot continue in the browser that started it. */
function findProblemOf(
  deps: Deps,
  tenant: Tenant,
  row: AuthorizationRow,
  step: AuthorizationState,
  state: string,
): Problem | undefined {
  // The person reloads the page or goes back to it after the wallet got its code.
  if (row.state === 'granted' || row.state === 'redeemed') return new Problem('sign_in_handed_back')
  if (row.expiresAt <= deps.clock.now())
    return new Problem('sign_in_expired', { headers: { 'Set-Cookie': endCookies(deps, tenant, row.id) } })
  if (row.state !== step || row.stepHash === null) return new Problem('sign_in_expired')
  if (equalInConstantTime(hashSecret(state), row.stepHash)) return undefined
  return new Problem('sign_in_failed', { reason: 'The state does not match the issued state' })
}
