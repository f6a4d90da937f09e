import type { Clock } from '../../../shared/clock.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Database } from '../../client.ts'
import { appendToAudit } from '../operations/audit/audit.ts'
import { deleteIncompleteDid } from './dids.ts'

/**
 * Deletes a DID row without content and records it in the audit. Returns false if the row has content or does not
 * exist.
 */
export async function cancelDid(
  { db, clock }: { db: Database; clock: Clock },
  tenantId: string,
  id: string,
): Promise<boolean> {
  return db.withoutDeadline.tx(async (tx) => {
    const at = clock.now()
    if (!(await deleteIncompleteDid(tx, tenantId, id))) return false
    const data = { id, reason: 'never made' }
    await appendToAudit(tx, [{ tenantId, type: 'DID_DELETE_AUDIT', data, requestId: newOrderedId(at) }], at)
    return true
  })
}
