import type { Writer } from '../client.ts'
import { addToOutbox } from '../outbox.ts'
import type { UserTerms } from '../repos/issuance/users/user-terms.ts'
import type { RecordChange } from '../repos/operations/audit/audited.ts'
import { insertErasure } from '../repos/operations/erasures.ts'
import { announceChanges } from '../repos/operations/webhooks/change-announcements.ts'
import { eraseUser } from './erasure.ts'

/** The event of an erasure. The type of its audit row adds `_AUDIT`. */
export const erasureEvent = 'USER_DELETE'

export interface ErasureRequest {
  tenantId: string
  userId: string
  /** The request of the audit row. The receipt names this row. */
  requestId: string
  /** The id and the subject (erasure-subject.ts) of the receipt. */
  receipt: { id: string; subject: string }
}

/**
 * Erases a user with an audit row, stores what was removed, and queues the signature of the receipt. Returns false if the user does not
 * exist. Poke the bus afterwards.
 */
export async function eraseWithReceipt(
  tx: Writer,
  { tenantId, userId, requestId, receipt: { id, subject } }: ErasureRequest,
  { at, terms, record }: { at: Date; terms: UserTerms; record: RecordChange },
): Promise<boolean> {
  const content = await eraseUser(tx, tenantId, userId, at, terms)
  if (!content) return false
  await insertErasure(tx, { id, tenantId, subject, content, requestId, createdAt: at })
  await addToOutbox(tx, 'signErasureReceipt', [{ id, payload: { tenantId, erasureId: id } }], at)
  await announceChanges(tx, tenantId, { UserErased: [{ userId, erasureId: id }] }, at)
  record(tenantId, { id: userId, erasureId: id })
  return true
}
