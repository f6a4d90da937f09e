import { and, asc, eq, getTableColumns, getTableName, inArray, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Writer } from '../client.ts'
import { hasLocation, rowLocation } from '../columns.ts'
import { chunksOf } from '../repos/chunks.ts'
import { ecosystems } from '../tables/ecosystems/ecosystems.ts'
import { evidenceChunks, participantEvidence } from '../tables/ecosystems/evidence.ts'
import { holderInstances } from '../tables/issuance/holder-instances.ts'
import { inboxMessages } from '../tables/messaging/inbox-messages.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { tenants } from '../tables/tenancy/tenants.ts'
import { retentionRules } from './retention-table.ts'
import { dependentsOf, tableWeight } from './table-rules.ts'

/**
 * Removes about `limit` rows and returns their number. A large row counts as several. A number below `limit` means that
 * no row is left.
 */
export type Removal = (tx: Writer, limit: number) => Promise<number>

/** Returns the removals of the rows of a deleted tenant, one per table. */
export function tenantRemovals(tenantId: string): Removal[] {
  return retentionRules.flatMap(({ table, tenant }) => (tenant ? [removalOf(table, eq(tenant, tenantId))] : []))
}

/** Returns the removal of the deliveries of a deleted webhook. */
export function webhookRemoval(tenantId: string, webhookId: string): Removal {
  return removalOf(deliveries, and(eq(deliveries.tenantId, tenantId), eq(deliveries.webhookId, webhookId)))
}

/** Returns the removal of the instances of a deleted holder application. */
export function holderApplicationRemoval(tenantId: string, applicationId: string): Removal {
  const ofApplication = and(eq(holderInstances.tenantId, tenantId), eq(holderInstances.applicationId, applicationId))
  return removalOf(holderInstances, ofApplication)
}

/** Returns the removal of the messages of a deleted inbox. */
export function inboxRemoval(tenantId: string, inboxId: string): Removal {
  return removalOf(inboxMessages, and(eq(inboxMessages.tenantId, tenantId), eq(inboxMessages.inboxId, inboxId)))
}

/** Returns the removals of the rows of a deleted ecosystem, one per table. */
export function ecosystemRemovals(tenantId: string, ecosystemId: string): Removal[] {
  return dependentsOf(ecosystems).map(({ table, tenant, by }) =>
    removalOf(table, and(eq(tenant, tenantId), eq(by, ecosystemId))),
  )
}

/** Deletes the row of a tenant after all its other rows. */
export async function deleteTenantRow(tx: Writer, id: string): Promise<void> {
  await tx.delete(tenants).where(and(eq(tenants.id, id), eq(tenants.state, 'deleting')))
}

/** Returns the removal of the rows of a table that match. */
export function removalOf(table: PgTable, which: SQL | undefined): Removal {
  const weight = tableWeight(table)
  return async (tx, limit) => {
    const rows = tx
      .select({ location: rowLocation(table) })
      .from(table)
      .where(which)
      .limit(Math.ceil(limit / weight))
    return weight * (await deleteAt(tx, table, rows))
  }
}

/**
 * Removes chunks of the oldest removed or incomplete evidence that expired before `before`, and the evidence itself
 * when no chunk is left.
 */
export async function purgeEvidence(tx: Writer, before: Date, limit: number): Promise<number> {
  const oldest = tx
    .select({ id: participantEvidence.id })
    .from(participantEvidence)
    .where(lt(participantEvidence.expiresAt, before))
    .orderBy(asc(participantEvidence.expiresAt))
    .limit(1)
  // An upload in progress then fails, because the evidence is removed.
  const [row] = await tx
    .update(participantEvidence)
    .set({ state: 'removed' })
    .where(and(eq(participantEvidence.id, oldest), lt(participantEvidence.expiresAt, before)))
    .returning({ id: participantEvidence.id, tenantId: participantEvidence.tenantId })
  if (!row) return 0
  const ofRow = and(eq(evidenceChunks.tenantId, row.tenantId), eq(evidenceChunks.evidenceId, row.id))
  if ((await removalOf(evidenceChunks, ofRow)(tx, limit)) >= limit) return limit
  await tx.delete(participantEvidence).where(eq(participantEvidence.id, row.id))
  return limit
}

/** Deletes the rows at these locations with their dependents. Returns the number of the rows. */
export async function deleteAt(tx: Writer, table: PgTable, locations: SQLWrapper): Promise<number> {
  const { tenantId, id } = getTableColumns(table)
  if (!tenantId || !id || dependentsOf(table).length === 0)
    return (await tx.delete(table).where(hasLocation(table, locations)).returning({ one: sql`1` })).length
  const gone = await tx.delete(table).where(hasLocation(table, locations)).returning({ tenantId, id })
  for (const [tenant, rows] of Map.groupBy(gone, (row) => String(row.tenantId))) {
    await removeDependents(
      tx,
      table,
      tenant,
      rows.map((row) => String(row.id)),
    )
  }
  return gone.length
}

/** Removes the dependents of deleted rows of `owner`. Returns how many rows of each table were removed. */
export async function removeDependents(
  tx: Writer,
  owner: PgTable,
  tenantId: string,
  ids: string[],
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const { table, tenant, by } of dependentsOf(owner)) {
    const name = getTableName(table)
    for (const chunk of chunksOf(ids)) {
      const ofChunk = and(eq(tenant, tenantId), inArray(by, chunk))
      const removed = await tx.delete(table).where(ofChunk).returning({ by })
      rows[name] = (rows[name] ?? 0) + removed.length
    }
  }
  return rows
}
