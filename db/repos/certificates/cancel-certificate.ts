import type { Clock } from '../../../shared/clock.ts'
import { certificateEvents } from '../../../shared/domain/certificates/certificates.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Database } from '../../client.ts'
import { appendToAudit } from '../operations/audit/audit.ts'
import { deleteIncompleteCertificate } from './certificates.ts'

/**
 * Deletes a certificate row without content and records it in the audit. Returns false if the row has content or does
 * not exist.
 */
export async function cancelCertificate(
  { db, clock }: { db: Database; clock: Clock },
  tenantId: string,
  id: string,
): Promise<boolean> {
  return db.withoutDeadline.tx(async (tx) => {
    const at = clock.now()
    const kind = await deleteIncompleteCertificate(tx, tenantId, id)
    if (kind === undefined) return false
    const entry = { tenantId, type: `${certificateEvents[kind]}_DELETE_AUDIT`, requestId: newOrderedId(at) }
    await appendToAudit(tx, [{ ...entry, data: { id, reason: 'never made' } }], at)
    return true
  })
}
