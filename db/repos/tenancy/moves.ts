import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { bulkIssuances } from '../../tables/issuance/bulk-issuances.ts'
import { approvals } from '../../tables/operations/approvals.ts'
import { statusBulks } from '../../tables/status/bulks.ts'
import { type TenantState, tenants } from '../../tables/tenancy/tenants.ts'
import type { TenantRow } from './tenants.ts'

/** Makes an active tenant read-only, or a moving tenant active again. Returns undefined if the tenant is not in the state `from`. */
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
  kind: 'bulk issuance' | 'bulk status change' | 'approval'
  id: string
}

/** Returns work of the tenant that runs or waits for a decision, or undefined if there is none. A read-only tenant could not finish it. */
export async function findRunningWork(db: Reader, tenantId: string): Promise<RunningWork | undefined> {
  const [bulk] = await db
    .select({ id: bulkIssuances.id })
    .from(bulkIssuances)
    .where(
      and(eq(bulkIssuances.tenantId, tenantId), inArray(bulkIssuances.state, ['receiving', 'validating', 'running'])),
    )
    .orderBy(asc(bulkIssuances.id))
    .limit(1)
  if (bulk) return { kind: 'bulk issuance', ...bulk }
  const [change] = await db
    .select({ id: statusBulks.id })
    .from(statusBulks)
    .where(and(eq(statusBulks.tenantId, tenantId), inArray(statusBulks.state, ['pending', 'running'])))
    .orderBy(asc(statusBulks.id))
    .limit(1)
  if (change) return { kind: 'bulk status change', ...change }
  const [approval] = await db
    .select({ id: approvals.id })
    .from(approvals)
    .where(and(eq(approvals.tenantId, tenantId), eq(approvals.state, 'waiting')))
    .orderBy(asc(approvals.id))
    .limit(1)
  return approval && { kind: 'approval', ...approval }
}
