import { findSession } from '../../../db/repos/issuance/sessions.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/**
 * The refusal of a request, if its session still stands. Otherwise the session ended while the request was under way: its person was
 * erased, for example, or its wallet removed. Rows that would say what became of the request may be gone then, so the answer is
 * `service_unavailable`. The wallet's next request gets 401.
 */
export async function refusalOf(deps: Deps, tenant: Tenant, { sessionId }: Holder, refusal: Problem): Promise<Problem> {
  const session = await findSession(deps.db.read, tenant.id, sessionId)
  if (session) return refusal
  return new Problem('service_unavailable', { retryAfterSeconds: 2, reason: 'The session ended during the request' })
}
