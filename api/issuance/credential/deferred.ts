import { findIssuance } from '../../../db/repos/issuance/issuances.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { isOfHolder, issuanceIdOf } from './handles.ts'
import { type IssueOutcome, issuedFrom, refusedAs, refusedFor } from './outcome.ts'

/**
 * Returns the outcome of a deferred issuance (OpenID4VCI 1.0, section 9). The transaction id becomes invalid after the
 * wallet received its credentials. Refuses with `invalid_transaction_id`, or with `credential_request_denied` if the
 * issuance was refused.
 */
export async function collectDeferred(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  transactionId: string,
): Promise<IssueOutcome> {
  const id = issuanceIdOf(deps, tenant, 'transaction_id', transactionId)
  const row = id === undefined ? undefined : await findIssuance(deps.db.read, tenant.id, id)
  const refuse = (problem: Problem) => refusedFor(deps, tenant, holder, problem)
  if (!row || row.deferredAt === null || !isOfHolder(row, holder)) return refuse(new Problem('invalid_transaction_id'))
  if (row.state === 'requested') return { kind: 'deferred', transactionId }
  if (row.state === 'refused') return refuse(refusedAs(row))
  if (row.state !== 'issued' || row.deliveredAt !== null) return refuse(new Problem('invalid_transaction_id'))
  return issuedFrom(deps, row)
}
