import { cancelDid } from '../../db/repos/identifiers/cancel-did.ts'
import { findUnmadeDids } from '../../db/repos/identifiers/dids.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'

/** Longer than any request waits. */
const madeWithinMs = 60_000
const mostAtOnce = 100

/** Takes away what was never made because the process that asked for it died. */
export async function cancelDids(deps: WorkerDeps): Promise<void> {
  const before = plusMs(deps.clock.now(), -madeWithinMs)
  for (const { tenantId, id } of await findUnmadeDids(deps.db.read, before, mostAtOnce)) {
    await cancelDid(deps, tenantId, id)
  }
}
