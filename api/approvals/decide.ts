import type { Writer } from '../../db/client.ts'
import { findNewestSessionOf } from '../../db/repos/console/sessions.ts'
import {
  type ApprovalRow,
  decideApproval,
  findApproval,
  storeApprovalAnswer,
} from '../../db/repos/operations/approvals.ts'
import { appendToAudit } from '../../db/repos/operations/audit/audit.ts'
import type { Change } from '../../db/repos/operations/audit/audited.ts'
import { announceChanges } from '../../db/repos/operations/webhooks/change-announcements.ts'
import { findClient } from '../../db/repos/tenancy/clients.ts'
import { plusMs } from '../../shared/clock.ts'
import { approvalExpiryMs } from '../../shared/domain/tenancy/approvals.ts'
import { notFound, Problem } from '../../shared/errors/errors.ts'
import { approvedBy } from '../access/approvals.ts'
import { identitiesOf } from '../access/identities.ts'
import { findRights, mayCall } from '../access/rights.ts'
import type { Caller } from '../access/subjects.ts'
import { depsInside, innerCallOf } from '../audit/inner-calls.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import { parseJson } from '../http/json.ts'
import type { Route } from '../http/route.ts'
import { type ApprovalRequest, openApprovalRequest, sealApprovalAnswer } from './request.ts'
import { approvalRules } from './rules.ts'

type DecidingCall = OperatorCall & { change: Change }

/**
 * Executes a request for the one who sent it, in the transaction of the approval: both are committed, or none. Throws `conflict` if it does not
 * wait any more, or if the caller cannot decide, and the problem of the operation. Then the approval still waits.
 */
export async function approve(call: DecidingCall, id: string, routes: readonly Route[]): Promise<ApprovalRow> {
  const { deps, tenantId, change } = call
  const approval = await getApproval(call, id)
  await requireOther(call, approval)
  if (approvalRules[approval.operation]?.measure === undefined) return approveForSender(call, approval, routes)
  let afterCommit = () => {}
  const executed = await change(async (tx, record) => {
    const decided = await decide(tx, call, approval, 'executed')
    const inside = depsInside(deps, tx)
    afterCommit = inside.afterCommit
    const asker = await getAsker(tx, call, approval, openSealed(call, approval))
    const route = routeFor(approval, asker, routes)
    const answer = await execute({ ...call, deps: { ...inside.deps, approvalId: id } }, approval, asker, route)
    const by = approvedBy(decided)
    const entries = inside.sharedAudit.map((entry) => ({ ...entry, data: { ...entry.data, ...by } }))
    await appendToAudit(tx, entries, deps.clock.now())
    await storeApprovalAnswer(tx, tenantId, id, sealApprovalAnswer(deps.secrets, id, answer))
    record(tenantId, { id, operation: approval.operation, ...askerIn(approval) })
    return decided
  })
  afterCommit()
  deps.bus.poke()
  return executed
}

/** Lets the one who sent the request execute it, within the same time for which it could wait. */
async function approveForSender(
  call: DecidingCall,
  approval: ApprovalRow,
  routes: readonly Route[],
): Promise<ApprovalRow> {
  const { deps, tenantId, tenant } = call
  const approved = await call.change(async (tx, record) => {
    const expiresAt = plusMs(deps.clock.now(), approvalExpiryMs(tenant.settings.approvals))
    const decided = await decide(tx, call, approval, 'approved', expiresAt)
    routeFor(approval, await getAsker(tx, call, approval, openSealed(call, approval)), routes)
    record(tenantId, { id: approval.id, operation: approval.operation, ...askerIn(approval) })
    return decided
  })
  deps.bus.poke()
  return approved
}

/**
 * Rejects a request, also one that was approved and that its sender did not finish. The one who sent it can do so too. Throws `conflict` if it has
 * ended.
 */
export async function reject(call: DecidingCall, id: string): Promise<ApprovalRow> {
  const approval = await getApproval(call, id)
  const rejected = await call.change(async (tx, record) => {
    const decided = await decide(tx, call, approval, 'rejected')
    record(call.tenantId, { id, operation: approval.operation, ...askerIn(approval) })
    return decided
  })
  call.deps.bus.poke()
  return rejected
}

async function getApproval({ deps, tenantId }: DecidingCall, id: string): Promise<ApprovalRow> {
  const approval = await findApproval(deps.db.read, tenantId, id)
  if (!approval) throw notFound('id', id)
  return approval
}

async function decide(
  tx: Writer,
  { deps, tenantId, caller }: DecidingCall,
  { id }: ApprovalRow,
  state: 'approved' | 'executed' | 'rejected',
  expiresAt?: Date,
): Promise<ApprovalRow> {
  const by = {
    decidedByClientId: caller.clientId ?? null,
    decidedByManagementUserId: caller.managementUserId ?? null,
  }
  const at = deps.clock.now()
  const decided = await decideApproval(tx, tenantId, { id, state, ...by, ...(expiresAt && { expiresAt }) }, at)
  if (decided) {
    await announceChanges(tx, tenantId, { ApprovalChanged: [{ approvalId: id, state }] }, at)
    return decided
  }
  const message = 'The request does not wait for an approval any more. It was decided, or it has expired.'
  throw new Problem('conflict', { message })
}

/** Throws `conflict` if the caller can act as the one who sent the request. */
async function requireOther({ deps, tenantId, caller }: DecidingCall, approval: ApprovalRow): Promise<void> {
  const asker = {
    ...(approval.askedByClientId !== null && { clientId: approval.askedByClientId }),
    ...(approval.askedByManagementUserId !== null && { managementUserId: approval.askedByManagementUserId }),
  }
  const own = new Set(await identitiesOf(deps.db.read, tenantId, caller))
  const ofAsker = await identitiesOf(deps.db.read, tenantId, asker)
  if (!ofAsker.some((each) => own.has(each))) return
  const message =
    'You sent this request, or you and its sender know the secret of the same client. Another person must approve it.'
  throw new Problem('conflict', { message })
}

function openSealed({ deps }: DecidingCall, { id, sealedRequest }: ApprovalRow) {
  return openApprovalRequest(deps.secrets, id, sealedRequest ?? '')
}

/**
 * Returns the sender of the request with its current roles. Throws `conflict` if the client was deleted, and if the person has no session. The
 * sign-in provider does not report a person who was removed: such a person only gets no new session.
 */
async function getAsker(
  tx: Writer,
  { tenantId, deps }: DecidingCall,
  { askedByClientId, askedByManagementUserId }: ApprovalRow,
  { name }: ApprovalRequest,
): Promise<Caller> {
  if (askedByManagementUserId !== null) {
    const session = await findNewestSessionOf(tx, tenantId, askedByManagementUserId, deps.clock.now())
    if (!session) throw new Problem('conflict', { message: noSession })
    return { managementUserId: askedByManagementUserId, name, ...(await findRights(tx, tenantId, session.roles ?? [])) }
  }
  const client = askedByClientId === null ? undefined : await findClient(tx, tenantId, askedByClientId)
  if (!client) throw new Problem('conflict', { message: 'The client that sent the request was deleted. Reject it.' })
  return { clientId: client.id, name: client.name, ...(await findRights(tx, tenantId, client.roles)) }
}

const noSession =
  'The person who sent the request has no session any more. Reject it, or approve it after the person has signed in again.'

/** Returns the route of the request. Throws `conflict` if the one who sent it cannot call it any more. */
function routeFor(approval: ApprovalRow, asker: Caller, routes: readonly Route[]): Route {
  const route = routes.find(({ operation }) => operation === approval.operation)
  if (!route)
    throw new Problem('conflict', { message: 'This version does not have the operation. Reject the request.' })
  if (route.access.kind === 'operators' && !mayCall(asker, route.access))
    throw new Problem('conflict', { message: 'The sender of the request lost the role for the operation. Reject it.' })
  return route
}

async function execute(call: DecidingCall, approval: ApprovalRow, asker: Caller, route: Route): Promise<unknown> {
  const { params, query, body, ifMatch } = openSealed(call, approval)
  const inner = innerCallOf({ ...call, caller: asker, commitAnswer: async () => {} }, call.deps)
  return inner(route, {
    params,
    query,
    body: body === '' ? undefined : route.body?.parse(parseJson(body)),
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  })
}

function askerIn({ askedByClientId, askedByManagementUserId }: ApprovalRow) {
  return {
    ...(askedByClientId !== null && { askedByClientId }),
    ...(askedByManagementUserId !== null && { askedByManagementUserId }),
  }
}
