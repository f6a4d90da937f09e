import { abandonIssuancesAt } from '../../db/repos/retention.ts'
import { deleteUnprovisioned, findUnprovisioned } from '../../db/repos/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'
import { inBatches } from './in-batches.ts'

/** The longest CREDENTIAL_DEADLINE_MS that can be set, and half a minute. */
const issuanceWithinMs = 90_000
const tenantWithinMs = 10 * 60_000

/**
 * Ends what nobody waits for any more, because the API process that did has died: issuances are abandoned, so that their
 * claims are not kept, and tenants without keys are removed, so that their names are free again.
 */
export async function recoverIssuances(deps: WorkerDeps): Promise<void> {
  const { db, clock, log } = deps
  const at = clock.now()
  const abandoned = await inBatches(deps, abandonIssuancesAt(at), plusMs(at, -issuanceWithinMs))
  if (abandoned > 0) log.info({ abandoned }, 'issuances that nobody waited for were abandoned')
  for (const tenantId of await findUnprovisioned(db.read, plusMs(at, -tenantWithinMs))) {
    const removed = await db.tx((tx) => deleteUnprovisioned(tx, tenantId))
    if (removed) log.info({ tenantId }, 'a tenant that was never provisioned was removed')
  }
}
