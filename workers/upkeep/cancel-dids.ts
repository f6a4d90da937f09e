import { cancelDid } from '../../db/repos/identifiers/cancel-did.ts'
import { findIncompleteDids } from '../../db/repos/identifiers/dids.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/** Longer than the deadline of any request. */
const createdWithinMs = 60_000
const maxPerRun = 100

/** Removes DIDs that were not created in time because the requesting process ended. */
export async function cancelDids(deps: WorkerDeps): Promise<void> {
  const before = plusMs(deps.clock.now(), -createdWithinMs)
  for (const { tenantId, id } of await findIncompleteDids(deps.db.read, before, maxPerRun)) {
    await cancelDid(deps, tenantId, id)
  }
}
