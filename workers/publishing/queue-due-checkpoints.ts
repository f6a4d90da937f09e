import { findDueCheckpoints } from '../../db/repos/operations/audit/audit-checkpoints.ts'
import { hourMs, plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/** Few tenants at a time, so that their checkpoints do not delay status lists. */
const maxPerRun = 500

/** Queues the checkpoints of audits that have new rows and no checkpoint for an hour. */
export async function queueDueCheckpoints({ db, bus, clock }: WorkerDeps): Promise<void> {
  const due = await findDueCheckpoints(db.read, plusMs(clock.now(), -hourMs), maxPerRun)
  if (due.length === 0) return
  await bus.sendMany(
    'checkpointAudit',
    due.map((ref) => ({ payload: ref, options: { id: `checkpoint-${ref.tenantId}` } })),
  )
}
