import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { preparedInsert } from '../../engine/prepared.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { claimSources } from '../../tables/issuance/claim-sources.ts'
import { listPage } from '../list-page.ts'
import { findAllConfigurations } from './configurations.ts'

export type ClaimSourceRow = typeof claimSources.$inferSelect
type Content = Omit<ClaimSourceRow, 'tenantId' | 'id' | 'createdAt'>

/** Inserts claim sources. */
export const insertClaimSources = preparedInsert('insert_claim_sources', claimSources)

export function findClaimSource(db: Reader, tenantId: string, id: string): Promise<ClaimSourceRow | undefined> {
  return findRow(db, claimSources, tenantId, id)
}

export function listClaimSources(db: Reader, tenantId: string, page: PageRequest): Promise<ClaimSourceRow[]> {
  return listPage(db, claimSources, tenantId, page)
}

export async function updateClaimSource(
  tx: Writer,
  tenantId: string,
  id: string,
  content: Content,
): Promise<ClaimSourceRow | undefined> {
  const [row] = await tx.update(claimSources).set(content).where(byId(tenantId, id)).returning()
  return row
}

export async function deleteClaimSource(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.delete(claimSources).where(byId(tenantId, id)).returning({ id: claimSources.id })
  return rows.length === 1
}

/**
 * Returns true if a configuration names the source. Reads all configurations of the tenant, because deleting a source
 * is rare.
 */
export async function isClaimSourceUsed(db: Reader, tenantId: string, id: string): Promise<boolean> {
  const configurations = await findAllConfigurations(db, tenantId)
  return configurations.some(({ settings }) => settings.claimSourceId === id)
}

function byId(tenantId: string, id: string) {
  return and(inRow(claimSources.tenantId, tenantId), eq(claimSources.id, id))
}
