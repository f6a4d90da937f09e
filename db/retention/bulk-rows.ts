import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../client.ts'
import { inRow } from '../columns.ts'
import { bulkRows, bulkIssuances as bulks } from '../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../tables/issuance/claim-links.ts'

type BulkRowState = (typeof bulkRows.$inferSelect)['state']

/** A row of a bulk issuance. */
interface RowOfBulk {
  bulkId: string
  row: number
}

/** Returns the rows whose claim link the person has opened. Such a row names no user itself. */
export async function findLinkedRows(db: Reader, tenantId: string, userId: string): Promise<RowOfBulk[]> {
  return db
    .select({ bulkId: claimLinks.bulkId, row: claimLinks.row })
    .from(claimLinks)
    .where(and(eq(claimLinks.tenantId, tenantId), eq(claimLinks.userId, userId)))
}

/**
 * Counts the erasure of a person in the bulk issuances with a row or a claim link of the person, which changes the version of their results.
 * Locks them, so it comes before the deletion of the user (hold.ts).
 */
export async function countErasure(tx: Writer, tenantId: string, userId: string): Promise<void> {
  const own = await tx
    .selectDistinct({ id: bulkRows.bulkId })
    .from(bulkRows)
    .where(and(eq(bulkRows.tenantId, tenantId), eq(bulkRows.userId, userId)))
  const linked = await findLinkedRows(tx, tenantId, userId)
  const ids = new Set([...own.map(({ id }) => id), ...linked.map(({ bulkId }) => bulkId)])
  for (const id of [...ids].sort())
    await tx
      .update(bulks)
      .set({ erasures: sql`${bulks.erasures} + 1` })
      .where(and(inRow(bulks.tenantId, tenantId), eq(bulks.id, id)))
}

/**
 * Deletes the rows of a person in all bulk issuances, and the linked ones, and reduces the counts of these bulk issuances. `total` stays.
 * Returns the number of the rows. `countErasure` has locked the bulk issuances.
 */
export async function eraseBulkRows(
  tx: Writer,
  tenantId: string,
  userId: string,
  linked: RowOfBulk[],
): Promise<number> {
  const ofTenant = eq(bulkRows.tenantId, tenantId)
  const returned = { bulkId: bulkRows.bulkId, state: bulkRows.state }
  const erased = await tx
    .delete(bulkRows)
    .where(and(ofTenant, eq(bulkRows.userId, userId)))
    .returning(returned)
  for (const { bulkId, row } of linked) {
    const isRow = and(inRow(bulkRows.tenantId, tenantId), eq(bulkRows.bulkId, bulkId), eq(bulkRows.row, row))
    erased.push(...(await tx.delete(bulkRows).where(isRow).returning(returned)))
  }
  for (const [bulkId, rows] of Map.groupBy(erased, (row) => row.bulkId)) {
    const countOf = (...states: BulkRowState[]) => rows.filter(({ state }) => states.includes(state)).length
    await tx
      .update(bulks)
      .set({
        valid: sql`${bulks.valid} - ${countOf('valid', 'done', 'failed')}`,
        invalid: sql`${bulks.invalid} - ${countOf('invalid')}`,
        done: sql`${bulks.done} - ${countOf('done')}`,
        failed: sql`${bulks.failed} - ${countOf('failed')}`,
      })
      .where(and(inRow(bulks.tenantId, tenantId), eq(bulks.id, bulkId)))
  }
  return erased.length
}
