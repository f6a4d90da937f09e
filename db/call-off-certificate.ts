import { certificateEvents } from '../shared/certificates.ts'
import type { Clock } from '../shared/clock.ts'
import { newOrderedId } from '../shared/ids.ts'
import type { Database } from './client.ts'
import { deleteUnmade } from './repos/certificates/certificates.ts'
import { appendToAudit } from './repos/operations/audit.ts'

/** Removes a certificate's row whose content was never made, and says so in the audit; false when it was, or is gone. */
export async function callOffCertificate(
  { db, clock }: { db: Database; clock: Clock },
  tenantId: string,
  id: string,
): Promise<boolean> {
  return db.withoutDeadline.tx(async (tx) => {
    const at = clock.now()
    const kind = await deleteUnmade(tx, tenantId, id)
    if (kind === undefined) return false
    const entry = { tenantId, type: `${certificateEvents[kind]}_DELETE_AUDIT`, requestId: newOrderedId(at) }
    await appendToAudit(tx, [{ ...entry, data: { id, reason: 'never made' } }], at)
    return true
  })
}
