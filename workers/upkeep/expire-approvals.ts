import { expireApproval, findDueApprovals } from '../../db/repos/operations/approvals.ts'
import { changesBy } from '../../db/repos/operations/audit/audited.ts'
import { announceChanges } from '../../db/repos/operations/webhooks/change-announcements.ts'
import { findProblem } from '../../shared/errors/errors.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/** A run ends before the next run starts. The next run continues with the others. */
const maxPerRun = 500

/** Ends the approvals that were not decided in time, and removes their requests. Announces each of them once. */
export async function expireApprovals(deps: WorkerDeps): Promise<void> {
  const { db, clock, bus } = deps
  const at = clock.now()
  const due = await findDueApprovals(db.read, at, maxPerRun)
  const change = changesBy(deps, { event: 'APPROVAL_EXPIRE' })
  for (const { tenantId, id, operation } of due)
    await change(async (tx, record) => {
      record(tenantId, { id, operation })
      // Another process can have ended it since.
      if (!(await expireApproval(tx, tenantId, id, at))) throw alreadyEnded
      await announceChanges(tx, tenantId, { ApprovalChanged: [{ approvalId: id, state: 'expired' }] }, at)
    }).catch((error) => {
      // A tenant that was deleted has no audit any more. Its approvals are removed with it.
      if (error !== alreadyEnded && findProblem(error)?.problem !== 'not_found') throw error
    })
  if (due.length > 0) bus.poke()
}

const alreadyEnded = new Error('the approval has ended')
