import { and, asc, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { bulkIssuances } from '../../tables/issuance/bulk-issuances.ts'
import { approvals } from '../../tables/operations/approvals.ts'
import { statusBulks } from '../../tables/status/bulks.ts'
import { type TenantState, tenants } from '../../tables/tenancy/tenants.ts'
import type { TenantRow } from './tenants.ts'

/** Makes an active tenant read-only, a moving tenant active again, or a moving tenant moved. Returns undefined if the tenant is not in the state `from`. */
export async function changeMove(
  tx: Writer,
  id: string,
  { from, to }: { from: TenantState; to: TenantState },
): Promise<TenantRow | undefined> {
  const [row] = await tx
    .update(tenants)
    .set({ state: to })
    .where(and(eq(tenants.id, id), eq(tenants.kind, 'tenant'), eq(tenants.state, from)))
    .returning()
  return row
}

/** Work of a tenant that runs for longer than a request. */
export interface RunningWork {
  kind: 'bulk issuance' | 'renewal of claim links' | 'bulk status change' | 'approval'
  id: string
}

/** Returns work of the tenant that runs or waits for a decision, or undefined if there is none. It would change a read-only tenant. */
export async function findRunningWork(db: Reader, tenantId: string): Promise<RunningWork | undefined> {
  return (
    (await findRunningBulk(db, tenantId)) ??
    (await findRunningRenewal(db, tenantId)) ??
    (await findRunningStatusBulk(db, tenantId)) ??
    (await findWaitingApproval(db, tenantId))
  )
}

async function findRunningBulk(db: Reader, tenantId: string): Promise<RunningWork | undefined> {
  const { id, state, tenantId: ofTenant } = bulkIssuances
  const [bulk] = await db
    .select({ id })
    .from(bulkIssuances)
    .where(and(eq(ofTenant, tenantId), inArray(state, ['receiving', 'validating', 'running'])))
    .orderBy(asc(id))
    .limit(1)
  return bulk && { kind: 'bulk issuance', ...bulk }
}

async function findRunningRenewal(db: Reader, tenantId: string): Promise<RunningWork | undefined> {
  const { linkRenewal, state, tenantId: ofTenant } = bulkIssuances
  const renewals = await db
    .select({ linkRenewal })
    .from(bulkIssuances)
    .where(and(eq(ofTenant, tenantId), ne(state, 'removed'), isNotNull(linkRenewal)))
  const running = renewals.find((bulk) => bulk.linkRenewal?.state === 'running')
  return running?.linkRenewal ? { kind: 'renewal of claim links', id: running.linkRenewal.id } : undefined
}

async function findRunningStatusBulk(db: Reader, tenantId: string): Promise<RunningWork | undefined> {
  const { id, state, tenantId: ofTenant } = statusBulks
  const [bulk] = await db
    .select({ id })
    .from(statusBulks)
    .where(and(eq(ofTenant, tenantId), inArray(state, ['pending', 'running'])))
    .orderBy(asc(id))
    .limit(1)
  return bulk && { kind: 'bulk status change', ...bulk }
}

async function findWaitingApproval(db: Reader, tenantId: string): Promise<RunningWork | undefined> {
  const { id, state, tenantId: ofTenant } = approvals
  const [approval] = await db
    .select({ id })
    .from(approvals)
    .where(and(eq(ofTenant, tenantId), eq(state, 'waiting')))
    .orderBy(asc(id))
    .limit(1)
  return approval && { kind: 'approval', ...approval }
}
