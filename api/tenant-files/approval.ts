import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Writer } from '../../db/client.ts'
import {
  type ApprovalRow,
  endApproved,
  findApprovedPlan,
  findSameApproval,
  holdApproved,
} from '../../db/repos/operations/approvals.ts'
import { announceChanges } from '../../db/repos/operations/webhooks/change-announcements.ts'
import { type ApprovalSettings, maxListedDeletions } from '../../shared/domain/tenancy/approvals.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { ApprovalNeeded } from '../access/approvals.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import type { Plan, Step } from './plan.ts'
import type { Reviewed } from './reviewed.ts'

/**
 * Returns the approval of this plan with which the caller can make its changes. It is for the same files and the same versions of the objects,
 * and has each object that the plan still deletes. If nothing is left to change, the versions can be others.
 */
export async function findApprovalOf(
  { deps, tenantId, caller }: OperatorCall,
  { basedOn }: Reviewed,
  plan: Plan,
): Promise<ApprovalRow | undefined> {
  const { clientId, managementUserId } = caller
  const asker = { askedByClientId: clientId ?? null, askedByManagementUserId: managementUserId ?? null }
  const at = deps.clock.now()
  if (plan.steps.length === 0) return findApprovedPlan(deps.db.read, tenantId, plan.digest, asker, at)
  const request = { digest: digestOf(basedOn, plan), ...asker }
  const approval = await findSameApproval(deps.db.read, tenantId, request, 'approved', at)
  const inApproval = new Set(Object.values(Object(approval?.details.deletions)).map((each) => nameOf(Object(each))))
  return deletionsIn(plan).every((step) => inApproval.has(nameOf(step))) ? approval : undefined
}

/**
 * Throws `ApprovalNeeded` if the plan deletes more objects than the tenant allows without an approval, or an authority. `answer` is the
 * answer to the apply. Throws `conflict` if the plan deletes too many objects to show them.
 */
export function requireFewDeletions(
  { configurationDeletions, authorityDeletions }: ApprovalSettings,
  { basedOn }: Reviewed,
  plan: Plan,
  answer: object,
): void {
  const deletions = deletionsIn(plan)
  const withAuthority = authorityDeletions !== undefined && deletions.some(({ stored }) => stored?.kind.provisionsKeys)
  if (!withAuthority && deletions.length <= (configurationDeletions ?? Infinity)) return
  if (deletions.length > maxListedDeletions) throw tooMany(deletions.length)
  const details = {
    planDigest: plan.digest,
    changes: plan.steps.length,
    deletions: deletions.map(({ op, kind, path, why }) => ({ op, kind, path, why })),
  }
  const digest = digestOf(basedOn, plan)
  throw new ApprovalNeeded({ objects: deletions.length, details, digest, answer: () => answer })
}

/** Locks the approval of changes that the transaction makes. Throws `conflict` if it has ended since the changes were planned. */
export async function holdApproval(tx: Writer, tenantId: string, id: string, at: Date): Promise<ApprovalRow> {
  const approval = await holdApproved(tx, tenantId, id, at)
  if (approval) return approval
  throw new Problem('conflict', { message: `The approval ${id} was rejected or used meanwhile, or it has expired.` })
}

/** Ends the approval with the last change of its plan. */
export async function endApproval(tx: Writer, tenantId: string, approvalId: string, at: Date): Promise<void> {
  await endApproved(tx, tenantId, approvalId)
  await announceChanges(tx, tenantId, { ApprovalChanged: [{ approvalId, state: 'executed' }] }, at)
}

function deletionsIn({ steps }: Plan): Step[] {
  return steps.filter(({ isDestructive }) => isDestructive)
}

function nameOf({ op, kind, path }: Pick<Step, 'op' | 'kind' | 'path'>): string {
  return `${op} ${kind} ${path}`
}

/** The continuations of an apply have the same digest, because they send the versions of the first plan again. */
function digestOf(basedOn: Reviewed['basedOn'], { digest }: Plan): string {
  return createHash('sha256')
    .update(canonicalize(['applyConfiguration', digest, basedOn]) ?? '')
    .digest('base64url')
}

function tooMany(count: number): Problem {
  const message = `The files delete ${count} objects, and one approval can be for at most ${maxListedDeletions}. Delete fewer objects at once.`
  return new Problem('conflict', { message })
}
