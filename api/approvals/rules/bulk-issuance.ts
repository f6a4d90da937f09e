import { findBulkIssuance } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import type { Measure } from '../../access/approvals.ts'
import type { OperatorCall } from '../../http/idempotency.ts'
import { presentBulk } from '../../issuance/bulk/present.ts'

/** The objects are the valid rows. The operation refuses a bulk issuance that is not ready. */
export async function measureBulkStart({ tenantId, params, caller, deps }: OperatorCall): Promise<Measure> {
  // Boundary: the schema of the operation has read the parameters.
  const { id } = params as { id: string }
  const bulk = await findBulkIssuance(deps.db.read, tenantId, id)
  if (bulk?.state !== 'ready') return { objects: 0, details: {} }
  const { mode, total, valid, configurationIds } = bulk
  return {
    objects: valid,
    details: { bulkIssuanceId: id, mode, total, valid, configurationIds },
    answer: () => presentBulk(bulk, deps.clock.now(), caller),
  }
}
