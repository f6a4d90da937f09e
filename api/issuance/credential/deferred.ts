import { findIssuance } from '../../../db/repos/issuance/issuances.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { type Collected, collectedFrom } from './collected.ts'
import { issuanceIdOf } from './handles.ts'
import { refusalOf } from './refusal.ts'

/** The time that a wallet should wait before it retries. */
export const deferredIntervalSeconds = 5

/**
 * Returns the result of a deferred issuance (OpenID4VCI 1.0, section 9), or undefined if it is not issued yet. The
 * transaction id becomes invalid after the wallet received its credentials. Throws `invalid_transaction_id`, or
 * `credential_request_denied` if the issuance was refused. Throws `service_unavailable` if the session ends during the
 * request.
 */
export async function collectDeferred(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  transactionId: string,
): Promise<Collected | undefined> {
  const id = issuanceIdOf(deps, tenant, 'transaction_id', transactionId)
  const row = id === undefined ? undefined : await findIssuance(deps.db.read, tenant.id, id)
  const refuse = (problem: Problem) => refusalOf(deps, tenant, holder, problem)
  if (!row || row.deferredAt === null || row.sessionId !== holder.sessionId)
    throw await refuse(new Problem('invalid_transaction_id'))
  if (row.state === 'requested') return undefined
  if (row.state === 'refused') throw await refuse(new Problem('credential_request_denied', { check: 'collected_once' }))
  if (row.state !== 'issued' || row.deliveredAt !== null) throw await refuse(new Problem('invalid_transaction_id'))
  return collectedFrom(deps, row)
}
