import { and, eq, gt, inArray, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { type IdempotencyState, idempotencyKeys } from '../../tables/operations/idempotency-keys.ts'

export type IdempotencyKeyRow = typeof idempotencyKeys.$inferSelect

/** A key of one caller. */
type Key = Pick<IdempotencyKeyRow, 'tenantId' | 'callerId' | 'keyHash'>

/** The claim of one request on a key. */
export type KeyClaim = Pick<IdempotencyKeyRow, 'tenantId' | 'id' | 'requestId'>

/**
 * Claims a key for a request. The claim succeeds if the key is new or expired, or if an earlier request ended without a
 * change. Returns the claim, or the row of the earlier request.
 */
export async function claimIdempotencyKey(
  tx: Writer,
  row: Omit<IdempotencyKeyRow, 'state' | 'userId' | 'sealedAnswer'>,
  at: Date,
): Promise<{ claim: KeyClaim } | { earlier: IdempotencyKeyRow }> {
  const claimed = { ...row, state: 'running' as const, userId: null, sealedAnswer: null }
  const { tenantId, requestId } = row
  const inserted = await tx
    .insert(idempotencyKeys)
    .values(claimed)
    .onConflictDoNothing()
    .returning({ id: idempotencyKeys.id })
  if (inserted[0]) return { claim: { tenantId, requestId, id: inserted[0].id } }
  const { id: _id, ...taken } = claimed
  const [again] = await tx
    .update(idempotencyKeys)
    .set(taken)
    .where(and(isKey(row), or(lte(idempotencyKeys.expiresAt, at), endedWithoutChange(at))))
    .returning({ id: idempotencyKeys.id })
  if (again) return { claim: { tenantId, requestId, id: again.id } }
  const [earlier] = await tx
    .select()
    .from(idempotencyKeys)
    .where(and(isKey(row), gt(idempotencyKeys.expiresAt, at)))
  // The row was deleted after the insert: its request failed or it expired.
  return earlier ? { earlier } : claimIdempotencyKey(tx, row, at)
}

/** Returns the row of a key that a request cannot claim at this time. */
export async function findClaimedKey(db: Reader, key: Key, at: Date): Promise<IdempotencyKeyRow | undefined> {
  const [row] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(isKey(key), gt(idempotencyKeys.expiresAt, at), not(endedWithoutChange(at))))
  return row
}

/** Marks the request as one that changes something. Returns false if the request has lost its key. */
export async function markIdempotentChange(tx: Writer, claim: KeyClaim): Promise<boolean> {
  const rows = await tx
    .update(idempotencyKeys)
    .set({ state: 'changed' })
    .where(ofClaim(claim))
    .returning({ id: idempotencyKeys.id })
  return rows.length > 0
}

/** Stores the answer for repeated requests. */
export async function storeIdempotentAnswer(
  tx: Writer,
  claim: KeyClaim,
  answer: Pick<IdempotencyKeyRow, 'userId' | 'sealedAnswer' | 'state'>,
): Promise<void> {
  await tx.update(idempotencyKeys).set(answer).where(ofClaim(claim))
}

/** Marks the stored answer of an interrupted request as final. */
export async function markAnswered(tx: Writer, claim: KeyClaim): Promise<void> {
  await tx.update(idempotencyKeys).set({ state: 'answered' }).where(ofClaim(claim))
}

/** Releases the key of a request that failed, if the key is in one of these states. */
export async function releaseIdempotencyKey(tx: Writer, claim: KeyClaim, states: IdempotencyState[]): Promise<void> {
  await tx.delete(idempotencyKeys).where(ofClaim(claim, inArray(idempotencyKeys.state, states)))
}

/** Deletes the answers that a request stored after the erasure of its user. */
export async function deleteIdempotentAnswersOf(tx: Writer, tenantId: string, userId: string): Promise<void> {
  await tx
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.tenantId, tenantId), eq(idempotencyKeys.userId, userId)))
}

function isKey({ tenantId, callerId, keyHash }: Key) {
  return and(
    eq(idempotencyKeys.tenantId, tenantId),
    eq(idempotencyKeys.callerId, callerId),
    eq(idempotencyKeys.keyHash, keyHash),
  )
}

/** The condition that an earlier request ended without a change. */
function endedWithoutChange(at: Date): SQL {
  return sql`(${idempotencyKeys.state} = 'running' and ${lte(idempotencyKeys.runningUntil, at)})`
}

function ofClaim({ tenantId, id, requestId }: KeyClaim, ...more: Parameters<typeof and>) {
  return and(
    eq(idempotencyKeys.tenantId, tenantId),
    eq(idempotencyKeys.id, id),
    eq(idempotencyKeys.requestId, requestId),
    ...more,
  )
}
