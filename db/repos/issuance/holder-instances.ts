import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import type { PageRequest } from '../../page.ts'
import { holderApplications } from '../../tables/issuance/holder-applications.ts'
import { holderInstances } from '../../tables/issuance/holder-instances.ts'
import { listPage } from '../list-page.ts'

export type HolderInstanceRow = typeof holderInstances.$inferSelect

export async function insertHolderInstance(tx: Writer, row: HolderInstanceRow): Promise<void> {
  await tx.insert(holderInstances).values(row)
}

export async function findHolderInstance(
  db: Reader,
  tenantId: string,
  applicationId: string,
  id: string,
): Promise<HolderInstanceRow | undefined> {
  const [row] = await db
    .select()
    .from(holderInstances)
    .where(byId(tenantId, applicationId, id))
  return row
}

export function listHolderInstances(
  db: Reader,
  tenantId: string,
  applicationId: string,
  page: PageRequest,
): Promise<HolderInstanceRow[]> {
  const ofApplication = eq(holderInstances.applicationId, applicationId)
  return listPage(db, holderInstances, tenantId, page, ofApplication)
}

/** Deletes an instance and decrements the count of its application. Returns false if it does not exist. */
export async function deleteHolderInstance(
  tx: Writer,
  tenantId: string,
  applicationId: string,
  id: string,
): Promise<boolean> {
  const rows = await tx
    .delete(holderInstances)
    .where(byId(tenantId, applicationId, id))
    .returning({ id: holderInstances.id })
  if (rows.length === 0) return false
  await tx
    .update(holderApplications)
    .set({ instanceCount: sql`${holderApplications.instanceCount} - 1` })
    .where(and(eq(holderApplications.tenantId, tenantId), eq(holderApplications.id, applicationId)))
  return true
}

function byId(tenantId: string, applicationId: string, id: string) {
  return and(
    eq(holderInstances.tenantId, tenantId),
    eq(holderInstances.applicationId, applicationId),
    eq(holderInstances.id, id),
  )
}
