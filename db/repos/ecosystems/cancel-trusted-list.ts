import type { Clock } from '../../../shared/clock.ts'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Database } from '../../client.ts'
import { appendToAudit } from '../operations/audit/audit.ts'
import { deleteUnpublishedTrustedList } from './trusted-lists.ts'

/**
 * Deletes a list that was never published, with an audit entry. Returns false if it was published or does not exist.
 */
export async function cancelTrustedList(
  { db, clock }: { db: Database; clock: Clock },
  { tenantId, kind, id }: { tenantId: string; kind: TrustedListKind; id: string },
): Promise<boolean> {
  return db.withoutDeadline.tx(async (tx) => {
    const at = clock.now()
    if (!(await deleteUnpublishedTrustedList(tx, tenantId, id))) return false
    const type = `ECOSYSTEM_${kind.toUpperCase()}_DELETE_AUDIT`
    await appendToAudit(tx, [{ tenantId, type, data: { id, reason: 'never made' }, requestId: newOrderedId(at) }], at)
    return true
  })
}
