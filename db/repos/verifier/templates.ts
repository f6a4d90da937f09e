import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { verifierTemplates } from '../../tables/verifier/templates.ts'
import { listPage } from '../list-page.ts'

export type VerifierTemplateRow = typeof verifierTemplates.$inferSelect
export type VerifierTemplateContent = Pick<VerifierTemplateRow, 'name' | 'purpose' | 'query' | 'checks'>

export async function insertVerifierTemplate(tx: Writer, row: VerifierTemplateRow): Promise<void> {
  await tx.insert(verifierTemplates).values(row)
}

export function findVerifierTemplate(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<VerifierTemplateRow | undefined> {
  return findRow(db, verifierTemplates, tenantId, id)
}

export function listVerifierTemplates(db: Reader, tenantId: string, page: PageRequest): Promise<VerifierTemplateRow[]> {
  return listPage(db, verifierTemplates, tenantId, page)
}

/** Returns undefined if the template does not exist. */
export async function updateVerifierTemplate(
  tx: Writer,
  tenantId: string,
  id: string,
  content: VerifierTemplateContent,
): Promise<VerifierTemplateRow | undefined> {
  const [row] = await tx.update(verifierTemplates).set(content).where(byId(tenantId, id)).returning()
  return row
}

/** Returns false if the template does not exist. */
export async function deleteVerifierTemplate(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.delete(verifierTemplates).where(byId(tenantId, id)).returning({ id: verifierTemplates.id })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(verifierTemplates.tenantId, tenantId), eq(verifierTemplates.id, id))
}
