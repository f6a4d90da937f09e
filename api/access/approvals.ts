import type { ApprovalRow } from '../../db/repos/operations/approvals.ts'

/** Describes what a request changes, for the decision whether it needs an approval and for the people who decide. */
export interface Measure {
  /** The number of objects that the request changes. */
  objects: number
  /** The description for people, without secrets and personal data. */
  details: Record<string, unknown>
  /** Replaces the body that is executed. Without it, the body of the request is. */
  body?: unknown
  /** The digest of what the sender may execute after the approval. Then the body is not stored. Without it, the service executes the request. */
  digest?: string
  /** Returns the members of the answer beside the approval, so that the answer has those of a success. `id` is the id of the approval. */
  answer?: (id: string) => object
}

/** A handler throws it before it changes anything, if only the handler can measure its request and the request needs an approval. */
export class ApprovalNeeded extends Error {
  readonly measure: Measure

  constructor(measure: Measure) {
    super('the request needs an approval')
    this.measure = measure
  }
}

/** Returns the approval and who approved it, for the audit rows of the executed operation. */
export function approvedBy({ id, decidedByClientId, decidedByManagementUserId }: ApprovalRow) {
  return {
    approvalId: id,
    ...(decidedByClientId !== null && { approvedByClientId: decidedByClientId }),
    ...(decidedByManagementUserId !== null && { approvedByManagementUserId: decidedByManagementUserId }),
  }
}
