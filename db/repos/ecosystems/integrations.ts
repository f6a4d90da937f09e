import { and, asc, eq, inArray } from 'drizzle-orm'
import { newId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { ecosystemIntegrations } from '../../tables/ecosystems/integrations.ts'

export type IntegrationRow = typeof ecosystemIntegrations.$inferSelect
/** What the operator says of one. */
export type Integration = Pick<IntegrationRow, 'format' | 'url' | 'enabled' | 'trustAnchors'>

/** Of these ecosystems, each one's in its order. */
export async function findIntegrations(
  db: Reader,
  tenantId: string,
  ecosystemIds: string[],
): Promise<IntegrationRow[]> {
  return db
    .select()
    .from(ecosystemIntegrations)
    .where(and(eq(ecosystemIntegrations.tenantId, tenantId), inArray(ecosystemIntegrations.ecosystemId, ecosystemIds)))
    .orderBy(asc(ecosystemIntegrations.position))
}

/** An ecosystem has these and no others. One that it had already, by format and URL, stays with what came of it. */
export async function replaceIntegrations(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  integrations: Integration[],
  at: Date,
): Promise<void> {
  const known = new Map((await findIntegrations(tx, tenantId, [ecosystemId])).map((row) => [keyOf(row), row]))
  for (const [position, integration] of integrations.entries()) {
    const row = known.get(keyOf(integration))
    known.delete(keyOf(integration))
    if (row)
      await tx
        .update(ecosystemIntegrations)
        .set({ ...integration, position })
        .where(byId(tenantId, row.id))
    else {
      const values = { id: newId(), tenantId, ecosystemId, ...integration, position, result: null, createdAt: at }
      await tx.insert(ecosystemIntegrations).values(values)
    }
  }
  for (const { id } of known.values()) await tx.delete(ecosystemIntegrations).where(byId(tenantId, id))
}

function keyOf({ format, url }: Integration): string {
  return `${format} ${url}`
}

function byId(tenantId: string, id: string) {
  return and(inRow(ecosystemIntegrations.tenantId, tenantId), eq(ecosystemIntegrations.id, id))
}
