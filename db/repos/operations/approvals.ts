import { and, eq, gt, isNull, lte, type SQL } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { type ApprovalState, approvals } from '../../tables/operations/approvals.ts'
import { listPage } from '../list-page.ts'

export type ApprovalRow = typeof approvals.$inferSelect
type Deciding = Pick<ApprovalRow, 'decidedByClientId' | 'decidedByManagementUserId'>

export async function insertApproval(tx: Writer, approval: ApprovalRow): Promise<void> {
  await tx.insert(approvals).values(approval)
}

export function findApproval(db: Reader, tenantId: string, id: string): Promise<ApprovalRow | undefined> {
  return findRow(db, approvals, tenantId, id)
}

export function listApprovals(
  db: Reader,
  tenantId: string,
  { state, ...page }: PageRequest & { state?: ApprovalState | undefined },
): Promise<ApprovalRow[]> {
  return listPage(db, approvals, tenantId, page, state && eq(approvals.state, state))
}

/** Counts the approvals of a tenant that wait at this time. */
export function countWaitingApprovals(db: Reader, tenantId: string, at: Date): Promise<number> {
  return db.$count(approvals, and(eq(approvals.tenantId, tenantId), isWaiting(at)))
}

/** Returns the waiting approval of the same request by the same client or user. */
export async function findSameApproval(
  db: Reader,
  tenantId: string,
  { digest, askedByClientId, askedByManagementUserId }: Partial<ApprovalRow> & Pick<ApprovalRow, 'digest'>,
  at: Date,
): Promise<ApprovalRow | undefined> {
  const [row] = await db
    .select()
    .from(approvals)
    .where(
      and(
        eq(approvals.tenantId, tenantId),
        eq(approvals.digest, digest),
        askedByClientId ? eq(approvals.askedByClientId, askedByClientId) : isNull(approvals.askedByClientId),
        askedByManagementUserId ? eq(approvals.askedByManagementUserId, askedByManagementUserId) : undefined,
        isWaiting(at),
      ),
    )
    .limit(1)
  return row
}

/**
 * Ends a waiting approval with a decision and removes its request. Returns undefined if it does not wait any more. Of concurrent decisions
 * exactly one succeeds.
 */
export async function decideApproval(
  tx: Writer,
  tenantId: string,
  { id, ...decision }: Pick<ApprovalRow, 'id' | 'state'> & Deciding,
  at: Date,
): Promise<ApprovalRow | undefined> {
  const [row] = await tx
    .update(approvals)
    .set({ ...decision, sealedRequest: null, decidedAt: at })
    .where(and(inRow(approvals.tenantId, tenantId), eq(approvals.id, id), isWaiting(at)))
    .returning()
  return row
}

/** Stores the answer of the operation for the one who asked. */
export async function storeApprovalAnswer(
  tx: Writer,
  tenantId: string,
  id: string,
  sealedAnswer: string,
): Promise<void> {
  await tx
    .update(approvals)
    .set({ sealedAnswer })
    .where(and(inRow(approvals.tenantId, tenantId), eq(approvals.id, id)))
}

/** Returns approvals of all tenants whose time is over, the oldest first. */
export async function findDueApprovals(
  db: Reader,
  at: Date,
  limit: number,
): Promise<Pick<ApprovalRow, 'tenantId' | 'id' | 'operation'>[]> {
  const { tenantId, id, operation, state, expiresAt } = approvals
  return db
    .select({ tenantId, id, operation })
    .from(approvals)
    .where(and(eq(state, 'waiting'), lte(expiresAt, at)))
    .orderBy(expiresAt)
    .limit(limit)
}

/** Ends an approval whose time is over and removes its request. Returns false if it has ended before. */
export async function expireApproval(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(approvals)
    .set({ state: 'expired', sealedRequest: null })
    .where(
      and(
        inRow(approvals.tenantId, tenantId),
        eq(approvals.id, id),
        eq(approvals.state, 'waiting'),
        lte(approvals.expiresAt, at),
      ),
    )
    .returning({ id: approvals.id })
  return rows.length === 1
}

function isWaiting(at: Date): SQL | undefined {
  return and(eq(approvals.state, 'waiting'), gt(approvals.expiresAt, at))
}
