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
import { isReviewState } from './review/address.ts'

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
  return resume(deps, tenant, headers, {
    ...{ step, state },
    isStateOf: ({ stepHash }) => equalInConstantTime(hashSecret(state), stepHash ?? ''),
  })
}

/**
 * Returns the authorization that a person reviews. It can be reviewed until the person returns from the sign-in, so that the person can go
 * back to the review. Throws as `resumeAuthorization`.
 */
export function resumeReview(deps: Deps, tenant: Tenant, headers: Headers, state: string): Promise<AuthorizationRow> {
  return resume(deps, tenant, headers, {
    ...{ step: 'login', state },
    isStateOf: ({ id }) => isReviewState(deps, tenant, id, state),
  })
}

interface Return {
  step: AuthorizationState
  state: string
  isStateOf(row: AuthorizationRow): boolean
}

async function resume(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  { step, state, isStateOf }: Return,
): Promise<AuthorizationRow> {
  const row = await findAuthorization(deps.db.read, tenant.id, idOfSecret(state))
  if (!row) throw new Problem('sign_in_failed', { reason: 'The state belongs to no known sign-in' })
  if (!isSameBrowser(deps, tenant, headers, row.id))
    throw new Problem('sign_in_failed', { reason: 'The sign-in began in another browser, or its cookie was deleted' })
  tracing?.join(row.traceparent)
  const wrongState = isStateOf(row) ? undefined : 'The state does not match the issued state'
  const problem =
    findProblemOf(deps, tenant, row, step) ?? (wrongState && new Problem('sign_in_failed', { reason: wrongState }))
  if (problem) throw withReturnLink(tenant, row, problem)
  return row
}

/** Returns the reason why the authorization cannot continue in the browser that started it. */
function findProblemOf(
  deps: Deps,
  tenant: Tenant,
  row: AuthorizationRow,
  step: AuthorizationState,
): Problem | undefined {
  // The person reloads the page or goes back to it after the wallet got its code.
  if (row.state === 'granted' || row.state === 'redeemed') return new Problem('sign_in_handed_back')
  if (row.expiresAt <= deps.clock.now())
    return new Problem('sign_in_expired', { headers: { 'Set-Cookie': endCookies(deps, tenant, row) } })
  return row.state === step && row.stepHash !== null ? undefined : new Problem('sign_in_expired')
}
