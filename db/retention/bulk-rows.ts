import { and, eq } from 'drizzle-orm'
import type { Writer } from '../client.ts'
import { bulkRows } from '../tables/issuance/bulk-issuances.ts'

/** Deletes the rows of a person in all bulk issuances. Returns their number. */
export async function eraseBulkRows(tx: Writer, tenantId: string, userId: string): Promise<number> {
  const rows = await tx
    .delete(bulkRows)
    .where(and(eq(bulkRows.tenantId, tenantId), eq(bulkRows.userId, userId)))
    .returning({ row: bulkRows.row })
  return rows.length
}
