import { findSession } from '../../../db/repos/issuance/sessions.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/**
 * Returns the refusal of a request if its session still exists. Otherwise the session ended during the request, for
 * example because its person was deleted or its wallet removed. Rows that explain the result may then be missing, so
 * the response is `service_unavailable`. The wallet's next request gets 401.
 */
export async function refusalOf(deps: Deps, tenant: Tenant, { sessionId }: Holder, refusal: Problem): Promise<Problem> {
  const session = await findSession(deps.db.read, tenant.id, sessionId)
  if (session) return refusal
  return new Problem('service_unavailable', { retryAfterSeconds: 2, reason: 'The session ended during the request' })
}
