import { findIssuance } from '../../../db/repos/issuance/issuances.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { type Collected, collectedFrom } from './collected.ts'
import { issuanceIdOf } from './handles.ts'
import { refusalOf } from './refusal.ts'

/** How long a wallet should wait before it asks again. */
export const deferredIntervalSeconds = 5

/**
 * What became of a deferred issuance (OpenID4VCI 1.0, section 9): issued, or undefined while it is not. The handle dies
 * once the wallet was sent its credentials. Throws `invalid_transaction_id`, or `credential_request_denied` when there
 * will never be any. Throws `service_unavailable` when the session ends meanwhile.
 */
export async function collectDeferred(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  transactionId: string,
): Promise<Collected | undefined> {
  const id = issuanceIdOf(deps, tenant, 'transaction_id', transactionId)
  const row = id === undefined ? undefined : await findIssuance(deps.db.read, tenant.id, id)
  const refuse = (problem: 'invalid_transaction_id' | 'credential_request_denied') =>
    refusalOf(deps, tenant, holder, new Problem(problem))
  if (!row || row.deferredAt === null || row.sessionId !== holder.sessionId)
    throw await refuse('invalid_transaction_id')
  if (row.state === 'requested') return undefined
  if (row.state === 'refused') throw await refuse('credential_request_denied')
  if (row.state !== 'issued' || row.deliveredAt !== null) throw await refuse('invalid_transaction_id')
  return collectedFrom(deps, row)
}
