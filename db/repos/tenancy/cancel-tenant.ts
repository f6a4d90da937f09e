import type { Clock } from '../../../shared/clock.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Database } from '../../client.ts'
import { appendToAudit } from '../operations/audit/audit.ts'
import { deleteUnprovisioned, findPlatformId } from './tenants.ts'

/**
 * Deletes a tenant that was never provisioned and records it in the audit of the platform. Returns false if the tenant
 * was provisioned or does not exist.
 */
export async function cancelTenant({ db, clock }: { db: Database; clock: Clock }, id: string): Promise<boolean> {
  return db.withoutDeadline.tx(async (tx) => {
    const at = clock.now()
    if (!(await deleteUnprovisioned(tx, id, at))) return false
    const platformId = await findPlatformId(tx)
    const entry = {
      type: 'TENANT_DELETE_AUDIT',
      data: { id, reason: 'never provisioned' },
      requestId: newOrderedId(at),
    }
    if (platformId) await appendToAudit(tx, [{ tenantId: platformId, ...entry }], at)
    return true
  })
}
