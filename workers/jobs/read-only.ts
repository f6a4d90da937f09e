import type { Reader } from '../../db/client.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { answersReadsOnly } from '../../db/tables/tenancy/tenants.ts'

/** The pause of a job that waits until its tenant can change again. */
export const readOnlyPauseMs = 60_000

/** Returns whether the tenant is read-only. Other web processes accept requests until they know it, so that their jobs must wait. */
export async function isReadOnly(db: Reader, tenantId: string): Promise<boolean> {
  return answersReadsOnly(await findTenant(db, tenantId))
}
