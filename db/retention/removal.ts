import { and, asc, eq, getTableColumns, inArray, lt, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Writer } from '../client.ts'
import { liesIn, place } from '../columns.ts'
import { chunksOf } from '../repos/chunks.ts'
import { ecosystems } from '../tables/ecosystems/ecosystems.ts'
import { evidenceChunks, participantEvidence } from '../tables/ecosystems/evidence.ts'
import { holderInstances } from '../tables/issuance/holder-instances.ts'
import { inboxMessages } from '../tables/messaging/inbox-messages.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { tenants } from '../tables/tenancy/tenants.ts'
import { hangingOn, retentionRules, tableWeight } from './retention-table.ts'

/** Takes away some `most` rows, of which large ones count as several, and says how many they were; fewer than `most` is the end. */
export type Removal = (tx: Writer, most: number) => Promise<number>

/** The rows of a tenant that was deleted, table by table. */
export function tenantRemovals(tenantId: string): Removal[] {
  return retentionRules.flatMap(({ table, tenant }) => (tenant ? [removalOf(table, eq(tenant, tenantId))] : []))
}

/** The deliveries of a webhook that was deleted. */
export function webhookRemoval(tenantId: string, webhookId: string): Removal {
  return removalOf(deliveries, and(eq(deliveries.tenantId, tenantId), eq(deliveries.webhookId, webhookId)))
}

/** The instances of a holders' application that was deleted. */
export function holderApplicationRemoval(tenantId: string, applicationId: string): Removal {
  const ofApplication = and(eq(holderInstances.tenantId, tenantId), eq(holderInstances.applicationId, applicationId))
  return removalOf(holderInstances, ofApplication)
}

/** The messages of an inbox that was deleted. */
export function inboxRemoval(tenantId: string, inboxId: string): Removal {
  return removalOf(inboxMessages, and(eq(inboxMessages.tenantId, tenantId), eq(inboxMessages.inboxId, inboxId)))
}

/** All that was in an ecosystem that was deleted, table by table. */
export function ecosystemRemovals(tenantId: string, ecosystemId: string): Removal[] {
  return hangingOn(ecosystems).map(({ table, tenant, by }) =>
    removalOf(table, and(eq(tenant, tenantId), eq(by, ecosystemId))),
  )
}

/** The row of a tenant of which nothing else is left. */
export async function deleteTenantRow(tx: Writer, id: string): Promise<void> {
  await tx.delete(tenants).where(and(eq(tenants.id, id), eq(tenants.state, 'deleting')))
}

function removalOf(table: PgTable, which: SQL | undefined): Removal {
  const weight = tableWeight(table)
  return async (tx, most) => {
    const rows = tx
      .select({ place: place(table) })
      .from(table)
      .where(which)
      .limit(Math.ceil(most / weight))
    return weight * (await deleteAt(tx, table, rows))
  }
}

/** Some chunks of evidence that was removed or given up before, of the oldest first, and it when it has none any more. */
export async function purgeEvidence(tx: Writer, before: Date, most: number): Promise<number> {
  const oldest = tx
    .select({ id: participantEvidence.id })
    .from(participantEvidence)
    .where(lt(participantEvidence.expiresAt, before))
    .orderBy(asc(participantEvidence.expiresAt))
    .limit(1)
  // Whoever uploads it still comes to know of it.
  const [row] = await tx
    .update(participantEvidence)
    .set({ state: 'removed' })
    .where(and(eq(participantEvidence.id, oldest), lt(participantEvidence.expiresAt, before)))
    .returning({ id: participantEvidence.id, tenantId: participantEvidence.tenantId })
  if (!row) return 0
  const ofRow = and(eq(evidenceChunks.tenantId, row.tenantId), eq(evidenceChunks.evidenceId, row.id))
  if ((await removalOf(evidenceChunks, ofRow)(tx, most)) >= most) return most
  await tx.delete(participantEvidence).where(eq(participantEvidence.id, row.id))
  return most
}

/** Deletes the rows that lie there, with what hangs on them, and says how many they were. */
export async function deleteAt(tx: Writer, table: PgTable, places: SQLWrapper): Promise<number> {
  const { tenantId, id } = getTableColumns(table)
  if (!tenantId || !id || hangingOn(table).length === 0)
    return (
      await tx
        .delete(table)
        .where(liesIn(table, places))
        .returning({ place: place(table) })
    ).length
  const gone = await tx.delete(table).where(liesIn(table, places)).returning({ tenantId, id })
  for (const [tenant, rows] of Map.groupBy(gone, (row) => String(row.tenantId))) {
    await removeHanging(
      tx,
      table,
      tenant,
      rows.map((row) => String(row.id)),
    )
  }
  return gone.length
}

/** Removes what hangs on rows of `owner` that are gone. */
export async function removeHanging(tx: Writer, owner: PgTable, tenantId: string, ids: string[]): Promise<void> {
  for (const { table, tenant, by } of hangingOn(owner)) {
    for (const chunk of chunksOf(ids)) await tx.delete(table).where(and(eq(tenant, tenantId), inArray(by, chunk)))
  }
}
