import type { z } from 'zod'
import { type ApprovalRow, isOpenState } from '../../db/repos/operations/approvals.ts'
import { callerIdOf } from '../access/identities.ts'
import type { Caller } from '../access/subjects.ts'
import type { Deps } from '../deps.ts'
import { openApprovalAnswer } from './request.ts'
import type { ApprovalView } from './schemas.ts'

type CallerIds = Pick<Caller, 'clientId' | 'managementUserId'>

/** Presents an approval without the answer of its operation. */
export function presentApproval(row: ApprovalRow, caller: CallerIds, at: Date): z.output<typeof ApprovalView> {
  const { id, kind, operation, objects, details, digest, createdAt, expiresAt, decidedAt } = row
  const decidedBy = personOf(row.decidedByClientId, row.decidedByManagementUserId)
  return {
    ...{ id, kind, operation, objects, details, digest },
    state: isOpenState(row.state) && expiresAt <= at ? 'expired' : row.state,
    askedBy: personOf(row.askedByClientId, row.askedByManagementUserId),
    isOwn: isAskedBy(row, caller),
    ...(decidedAt && { decidedBy, decidedAt: decidedAt.toISOString() }),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

/** Presents an approval, and the answer of its operation to the one who asked. */
export function presentWithAnswer(row: ApprovalRow, caller: Caller, { clock, secrets }: Deps) {
  const view = presentApproval(row, caller, clock.now())
  if (row.sealedAnswer === null || !view.isOwn) return view
  return { ...view, answer: openApprovalAnswer(secrets, row.id, row.sealedAnswer) }
}

function isAskedBy({ askedByClientId, askedByManagementUserId }: ApprovalRow, caller: CallerIds): boolean {
  return (askedByClientId ?? askedByManagementUserId) === callerIdOf(caller)
}

function personOf(clientId: string | null, managementUserId: string | null) {
  return { ...(clientId !== null && { clientId }), ...(managementUserId !== null && { managementUserId }) }
}
