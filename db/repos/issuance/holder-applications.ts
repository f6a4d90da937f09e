import { and, eq, lt, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { findRow } from '../../find-row.ts'
import { addToOutbox } from '../../outbox.ts'
import type { PageRequest } from '../../page.ts'
import { holderApplications } from '../../tables/issuance/holder-applications.ts'
import { listPage } from '../list-page.ts'

export type HolderApplicationRow = typeof holderApplications.$inferSelect

export async function insertHolderApplication(tx: Writer, row: HolderApplicationRow): Promise<void> {
  await tx.insert(holderApplications).values(row)
}

export function findHolderApplication(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<HolderApplicationRow | undefined> {
  return findRow(db, holderApplications, tenantId, id)
}

export function listHolderApplications(
  db: Reader,
  tenantId: string,
  page: PageRequest,
): Promise<HolderApplicationRow[]> {
  return listPage(db, holderApplications, tenantId, page)
}

export async function updateHolderApplication(
  tx: Writer,
  tenantId: string,
  id: string,
  content: Pick<HolderApplicationRow, 'name' | 'settings'>,
): Promise<HolderApplicationRow | undefined> {
  const [row] = await tx.update(holderApplications).set(content).where(byId(tenantId, id)).returning()
  return row
}

/**
 * Adds one to the number of instances, and locks the application until the transaction ends. Returns false if it has
 * `limit` instances or does not exist.
 */
export async function countInstance(tx: Writer, tenantId: string, id: string, limit: number): Promise<boolean> {
  const rows = await tx
    .update(holderApplications)
    .set({ instanceCount: sql`${holderApplications.instanceCount} + 1` })
    .where(and(byId(tenantId, id), lt(holderApplications.instanceCount, limit)))
    .returning({ id: holderApplications.id })
  return rows.length === 1
}

/** Deletes an application. A job of the outbox deletes its instances. Returns false if it does not exist. */
export async function deleteHolderApplication(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const rows = await tx.delete(holderApplications).where(byId(tenantId, id)).returning({ id: holderApplications.id })
  if (rows.length === 0) return false
  await addToOutbox(tx, 'removeHolderApplication', [{ id, payload: { tenantId, applicationId: id } }], at)
  return true
}

function byId(tenantId: string, id: string) {
  return and(eq(holderApplications.tenantId, tenantId), eq(holderApplications.id, id))
}
