import type { Writer } from '../../../db/client.ts'
import { rejectWaitingApprovals } from '../../../db/repos/operations/approvals.ts'
import { appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import { auditEntry } from '../../../db/repos/operations/audit/audited.ts'
import { announceChanges } from '../../../db/repos/operations/webhooks/change-announcements.ts'
import type { OperatorCall } from '../../http/idempotency.ts'

/**
 * Rejects the requests of a person that wait for an approval, in the transaction that ends the sessions of the person. Otherwise they could be
 * approved after the next sign-in of the person. Call it first in the transaction, because it locks approvals (hold.ts). Returns a function that adds the events and the audit rows, as for other rejections: call it last. After
 * the commit the caller wakes the relay (`bus.poke`).
 */
export async function rejectRequestsOf(
  tx: Writer,
  { tenantId, deps, requestId, caller }: Pick<OperatorCall, 'tenantId' | 'deps' | 'requestId' | 'caller'>,
  managementUserId: string,
): Promise<() => Promise<void>> {
  const at = deps.clock.now()
  const decision = {
    decidedByClientId: caller.clientId ?? null,
    decidedByManagementUserId: caller.managementUserId ?? null,
  }
  const rejected = await rejectWaitingApprovals(tx, tenantId, managementUserId, decision, at)
  const by = {
    event: 'APPROVAL_REJECT',
    requestId,
    clientId: caller.clientId,
    managementUserId: caller.managementUserId,
  }
  return async () => {
    if (rejected.length === 0) return
    const changes = rejected.map(({ id }) => ({ approvalId: id, state: 'rejected' as const }))
    await announceChanges(tx, tenantId, { ApprovalChanged: changes }, at)
    const entries = rejected.map(({ id, operation }) =>
      auditEntry(by, tenantId, { id, operation, askedByManagementUserId: managementUserId }),
    )
    await appendToAudit(tx, entries, at)
  }
}
