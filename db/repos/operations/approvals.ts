import { and, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { dialect, inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import { holdColumns } from '../../hold.ts'
import type { PageRequest } from '../../page.ts'
import { type ApprovalState, approvals } from '../../tables/operations/approvals.ts'
import { listPage } from '../list-page.ts'

export type ApprovalRow = typeof approvals.$inferSelect
type Asker = Partial<Pick<ApprovalRow, 'askedByClientId' | 'askedByManagementUserId'>>
type Deciding = Pick<ApprovalRow, 'decidedByClientId' | 'decidedByManagementUserId'>

/** The states of approvals that have not ended. They expire. */
const openStates = ['waiting', 'approved'] as const
type OpenState = (typeof openStates)[number]

/** Whether an approval in this state expires. */
export function isOpenState(state: ApprovalState): boolean {
  return openStates.some((each) => each === state)
}

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
  return db.$count(approvals, and(eq(approvals.tenantId, tenantId), isIn(['waiting'], at)))
}

/** Returns the approval of the same request by the same client or user that is in the state. */
export async function findSameApproval(
  db: Reader,
  tenantId: string,
  { digest, ...asker }: Asker & Pick<ApprovalRow, 'digest'>,
  state: OpenState,
  at: Date,
): Promise<ApprovalRow | undefined> {
  const [row] = await db
    .select()
    .from(approvals)
    .where(and(eq(approvals.tenantId, tenantId), eq(approvals.digest, digest), isAskedBy(asker), isIn([state], at)))
    .limit(1)
  return row
}

/** Returns an approved plan of the same configuration files by the same client or user. The objects can have had other versions. */
export async function findApprovedPlan(
  db: Reader,
  tenantId: string,
  planDigest: string,
  asker: Asker,
  at: Date,
): Promise<ApprovalRow | undefined> {
  const isOfPlan = eq(sql`${approvals.details} ->> 'planDigest'`, planDigest)
  const [row] = await db
    .select()
    .from(approvals)
    .where(and(eq(approvals.tenantId, tenantId), isOfPlan, isAskedBy(asker), isIn(['approved'], at)))
    .limit(1)
  return row
}

/** Locks the approval until the transaction ends. Returns undefined if the one who sent the request cannot execute it any more. */
export async function holdApproved(
  tx: Writer,
  tenantId: string,
  id: string,
  at: Date,
): Promise<ApprovalRow | undefined> {
  const row = await holdColumns(tx, approvals, tenantId, id)
  return row?.state === 'approved' && row.expiresAt > at ? row : undefined
}

/** Ends an approval that the transaction holds, because the request was executed. */
export async function endApproved(tx: Writer, tenantId: string, id: string): Promise<void> {
  await tx
    .update(approvals)
    .set({ state: 'executed' })
    .where(and(inRow(approvals.tenantId, tenantId), eq(approvals.id, id)))
}

/**
 * Decides an approval and removes its request. A waiting one can be approved, and one that has not ended can be rejected. Returns undefined if the
 * approval is in another state. Of concurrent decisions exactly one succeeds.
 */
export async function decideApproval(
  tx: Writer,
  tenantId: string,
  { id, ...decision }: Pick<ApprovalRow, 'id' | 'state'> & Deciding & { expiresAt?: Date },
  at: Date,
): Promise<ApprovalRow | undefined> {
  const from: OpenState[] = decision.state === 'rejected' ? [...openStates] : ['waiting']
  const [row] = await tx
    .update(approvals)
    .set({ ...decision, sealedRequest: null, decidedAt: at })
    .where(and(inRow(approvals.tenantId, tenantId), eq(approvals.id, id), isIn(from, at)))
    .returning()
  return row
}

/** Rejects the waiting approvals of a user of the console and removes their requests. Returns the approvals, of which few wait. */
export async function rejectWaitingApprovals(
  tx: Writer,
  tenantId: string,
  managementUserId: string,
  decision: Deciding,
  at: Date,
): Promise<Pick<ApprovalRow, 'id' | 'operation'>[]> {
  const ofUser = eq(approvals.askedByManagementUserId, managementUserId)
  const { id, operation } = approvals
  const waiting = tx
    .select({ id, operation })
    .from(approvals)
    .where(and(eq(approvals.tenantId, tenantId), ofUser, isIn(['waiting'], at)))
    .orderBy(id)
  const held = await (dialect === 'postgres' ? waiting.for('no key update') : waiting)
  const ids = held.map((row) => row.id)
  await tx
    .update(approvals)
    .set({ state: 'rejected', ...decision, sealedRequest: null, decidedAt: at })
    .where(and(eq(approvals.tenantId, tenantId), inArray(id, ids)))
  return held
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
    .where(and(inArray(state, openStates), lte(expiresAt, at)))
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
        inArray(approvals.state, openStates),
        lte(approvals.expiresAt, at),
      ),
    )
    .returning({ id: approvals.id })
  return rows.length === 1
}

function isAskedBy({ askedByClientId, askedByManagementUserId }: Asker): SQL | undefined {
  return and(
    askedByClientId ? eq(approvals.askedByClientId, askedByClientId) : isNull(approvals.askedByClientId),
    askedByManagementUserId ? eq(approvals.askedByManagementUserId, askedByManagementUserId) : undefined,
  )
}

function isIn(states: readonly OpenState[], at: Date): SQL | undefined {
  return and(inArray(approvals.state, states), gt(approvals.expiresAt, at))
}
