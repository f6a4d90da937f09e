import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { verifierApplications } from '../../tables/verifier/applications.ts'
import { listPage } from '../list-page.ts'

export type VerifierApplicationRow = typeof verifierApplications.$inferSelect
export type VerifierApplicationContent = Pick<VerifierApplicationRow, 'name' | 'settings'>

export async function insertVerifierApplication(tx: Writer, row: VerifierApplicationRow): Promise<void> {
  await tx.insert(verifierApplications).values(row)
}

export function findVerifierApplication(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<VerifierApplicationRow | undefined> {
  return findRow(db, verifierApplications, tenantId, id)
}

export function listVerifierApplications(
  db: Reader,
  tenantId: string,
  page: PageRequest,
): Promise<VerifierApplicationRow[]> {
  return listPage(db, verifierApplications, tenantId, page)
}

/** Returns undefined if the application does not exist. */
export async function updateVerifierApplication(
  tx: Writer,
  tenantId: string,
  id: string,
  content: VerifierApplicationContent,
): Promise<VerifierApplicationRow | undefined> {
  const [row] = await tx.update(verifierApplications).set(content).where(byId(tenantId, id)).returning()
  return row
}

/** Returns false if the application does not exist. */
export async function deleteVerifierApplication(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(verifierApplications)
    .where(byId(tenantId, id))
    .returning({ id: verifierApplications.id })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(verifierApplications.tenantId, tenantId), eq(verifierApplications.id, id))
}
