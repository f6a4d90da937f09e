import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { statusListConfigurations } from '../../tables/status/list-configurations.ts'
import { listPage } from '../list-page.ts'

export type ListConfigurationRow = typeof statusListConfigurations.$inferSelect

/** Returns false if the document type already has a configuration. */
export async function insertListConfiguration(tx: Writer, row: ListConfigurationRow): Promise<boolean> {
  const { id } = statusListConfigurations
  const rows = await tx.insert(statusListConfigurations).values(row).onConflictDoNothing().returning({ id })
  return rows.length === 1
}

export function findListConfiguration(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<ListConfigurationRow | undefined> {
  return findRow(db, statusListConfigurations, tenantId, id)
}

export function listListConfigurations(
  db: Reader,
  tenantId: string,
  page: PageRequest,
): Promise<ListConfigurationRow[]> {
  return listPage(db, statusListConfigurations, tenantId, page)
}

export async function updateListConfiguration(
  tx: Writer,
  tenantId: string,
  id: string,
  lifetime: Pick<ListConfigurationRow, 'ttlDays' | 'expiryDays'>,
): Promise<ListConfigurationRow | undefined> {
  const [row] = await tx.update(statusListConfigurations).set(lifetime).where(byId(tenantId, id)).returning()
  return row
}

export async function deleteListConfiguration(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const { id: column } = statusListConfigurations
  const rows = await tx.delete(statusListConfigurations).where(byId(tenantId, id)).returning({ id: column })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(statusListConfigurations.tenantId, tenantId), eq(statusListConfigurations.id, id))
}

const forType = prepared('list_configuration_for_type', (db) =>
  db
    .select()
    .from(statusListConfigurations)
    .where(
      and(
        eq(statusListConfigurations.tenantId, param('tenantId')),
        eq(statusListConfigurations.docType, param('docType')),
      ),
    ),
)

export async function findListConfigurationFor(
  db: Reader,
  tenantId: string,
  docType: string,
): Promise<ListConfigurationRow | undefined> {
  const [row] = await forType(db, { tenantId, docType })
  return row
}
