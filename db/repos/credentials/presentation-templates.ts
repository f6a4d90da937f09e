import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { presentationTemplates } from '../../tables/credentials/presentation-templates.ts'
import { listPage } from '../list-page.ts'

export type PresentationTemplateRow = typeof presentationTemplates.$inferSelect
export type PresentationTemplateContent = Pick<PresentationTemplateRow, 'name' | 'domain' | 'query'>

export async function insertPresentationTemplate(tx: Writer, row: PresentationTemplateRow): Promise<void> {
  await tx.insert(presentationTemplates).values(row)
}

export function findPresentationTemplate(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<PresentationTemplateRow | undefined> {
  return findRow(db, presentationTemplates, tenantId, id)
}

export async function listPresentationTemplates(
  db: Reader,
  tenantId: string,
  page: PageRequest,
): Promise<PresentationTemplateRow[]> {
  return listPage(db, presentationTemplates, tenantId, page)
}

/** Returns undefined if the template does not exist. */
export async function updatePresentationTemplate(
  tx: Writer,
  tenantId: string,
  id: string,
  content: PresentationTemplateContent,
): Promise<PresentationTemplateRow | undefined> {
  const [row] = await tx.update(presentationTemplates).set(content).where(byId(tenantId, id)).returning()
  return row
}

/** Returns false if the template does not exist. */
export async function deletePresentationTemplate(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const { id: column } = presentationTemplates
  const rows = await tx.delete(presentationTemplates).where(byId(tenantId, id)).returning({ id: column })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(presentationTemplates.tenantId, tenantId), eq(presentationTemplates.id, id))
}
