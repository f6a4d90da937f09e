import type { Clock } from '../../../shared/clock.ts'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Database } from '../../client.ts'
import { appendToAudit } from '../operations/audit.ts'
import { deleteUnpublishedTrustedList } from './trusted-lists.ts'

/** Removes a list that was never published, and says so in the audit; false when it was, or is gone. */
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
