import type { Clock } from '../../../shared/clock.ts'
import { eventNameOf, type ListKind, loteTypeIn } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Database } from '../../client.ts'
import { appendToAudit } from '../operations/audit/audit.ts'
import { deleteUnpublishedTrustedList } from './trusted-lists.ts'

/**
 * Deletes a list that was never published, with an audit entry. Returns false if it was published or does not exist.
 */
export async function cancelTrustedList(
  { db, clock }: { db: Database; clock: Clock },
  { tenantId, kind, id }: { tenantId: string; kind: ListKind; id: string },
): Promise<boolean> {
  return db.withoutDeadline.tx(async (tx) => {
    const at = clock.now()
    if (!(await deleteUnpublishedTrustedList(tx, tenantId, id))) return false
    const type = `ECOSYSTEM_${eventNameOf(kind)}_DELETE_AUDIT`
    const data = { id, ...loteTypeIn(kind), reason: 'never made' }
    await appendToAudit(tx, [{ tenantId, type, data, requestId: newOrderedId(at) }], at)
    return true
  })
}
