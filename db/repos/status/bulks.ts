import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import { statusBulks } from '../../tables/status/bulks.ts'

export type StatusBulkRow = typeof statusBulks.$inferSelect

export async function insertBulk(tx: Writer, bulk: StatusBulkRow): Promise<void> {
  await tx.insert(statusBulks).values(bulk)
}

export function findBulk(db: Reader, tenantId: string, id: string): Promise<StatusBulkRow | undefined> {
  return findRow(db, statusBulks, tenantId, id)
}

/** Updates the progress of a request. The caller holds its row. */
export async function updateBulk(
  tx: Writer,
  { tenantId, id }: Pick<StatusBulkRow, 'tenantId' | 'id'>,
  changes: Partial<Pick<StatusBulkRow, 'state' | 'total' | 'done' | 'failed' | 'progress' | 'endedAt'>>,
): Promise<void> {
  await tx
    .update(statusBulks)
    .set(changes)
    .where(and(inRow(statusBulks.tenantId, tenantId), eq(statusBulks.id, id)))
}
