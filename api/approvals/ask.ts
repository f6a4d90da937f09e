import {
  type ApprovalRow,
  countWaitingApprovals,
  findSameApproval,
  insertApproval,
} from '../../db/repos/operations/approvals.ts'
import { changesBy } from '../../db/repos/operations/audit/audited.ts'
import { announceChanges } from '../../db/repos/operations/webhooks/change-announcements.ts'
import { plusMs } from '../../shared/clock.ts'
import { approvalExpiryMs, maxWaitingApprovals } from '../../shared/domain/tenancy/approvals.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Measure } from '../access/approvals.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import { Answer } from '../http/representations/answer.ts'
import { presentApproval } from './present.ts'
import { type ApprovalRequest, digestOf, sealApprovalRequest } from './request.ts'

/**
 * Stores a request that needs an approval, and returns the answer to it. A repeated request of the same caller gets the approval that already
 * waits. Throws `conflict` if too many approvals of the tenant wait.
 */
export async function ask(
  call: OperatorCall,
  { operation, kind, measure }: { operation: string; kind: string; measure: Measure },
): Promise<Answer> {
  const { deps, tenant, tenantId, caller, requestId, commitAnswer } = call
  const at = deps.clock.now()
  const row = newApproval(call, { operation, kind, measure })
  const same = await findSameApproval(deps.db.read, tenantId, row, 'waiting', at)
  if (same) return answerOf(same, measure, presentApproval(same, caller, at))
  const { clientId, managementUserId } = caller
  const change = changesBy(deps, { event: 'APPROVAL_REQUEST', requestId, clientId, managementUserId })
  const approval = { ...row, expiresAt: plusMs(at, approvalExpiryMs(tenant.settings.approvals)) }
  const answer = answerOf(approval, measure, presentApproval(approval, caller, at))
  await change(async (tx, record) => {
    if ((await countWaitingApprovals(tx, tenantId, at)) >= maxWaitingApprovals) throw tooMany()
    await insertApproval(tx, approval)
    record(tenantId, { id: row.id, operation, objects: measure.objects })
    await announceChanges(tx, tenantId, { ApprovalChanged: [{ approvalId: row.id, state: 'waiting' }] }, at)
    await commitAnswer(tx, answer)
  })
  deps.bus.poke()
  return answer
}

function answerOf({ id }: ApprovalRow, { answer }: Measure, approval: object): Answer {
  return new Answer({ ...answer?.(id), approval }, { status: 202, headers: { Location: `/v1/approvals/${id}` } })
}

function newApproval(
  { deps, tenantId, caller, params, query, body, headers }: OperatorCall,
  { operation, kind, measure }: { operation: string; kind: string; measure: Measure },
): Omit<ApprovalRow, 'expiresAt'> {
  const id = newId()
  const request: ApprovalRequest = {
    // Boundary: the schemas of the route have read the parameters.
    params: { ...(params as Record<string, string> | undefined) },
    query: { ...(query as Record<string, unknown> | undefined) },
    body: body === undefined || measure.digest !== undefined ? '' : JSON.stringify(measure.body ?? body),
    ifMatch: typeof headers['if-match'] === 'string' ? headers['if-match'] : undefined,
    name: caller.name,
  }
  return {
    ...{ id, tenantId, kind, operation, state: 'waiting', objects: measure.objects, details: measure.details },
    digest: measure.digest ?? digestOf(operation, request),
    sealedRequest: sealApprovalRequest(deps.secrets, id, request),
    sealedAnswer: null,
    askedByClientId: caller.clientId ?? null,
    askedByManagementUserId: caller.managementUserId ?? null,
    ...{ decidedByClientId: null, decidedByManagementUserId: null, decidedAt: null },
    createdAt: deps.clock.now(),
  }
}

function tooMany(): Problem {
  const message = `At most ${maxWaitingApprovals} requests can wait for an approval. Approve or reject one first.`
  return new Problem('conflict', { message })
}
