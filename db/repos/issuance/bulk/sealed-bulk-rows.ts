import { and, asc, eq, gt, isNotNull, or } from 'drizzle-orm'
import { bulkRows } from '../../../tables/issuance/bulk-issuances.ts'
import type { SealedSecrets } from '../sealed-secrets.ts'

/** Claims of rows of bulk issuances that wait. */
export const bulkRowClaims = sealedColumn('sealedClaims')

/** Credentials in the results of bulk issuances. */
export const bulkRowResults = sealedColumn('sealedResult')

/** Cells of kept columns, which results of bulk issuances contain. */
export const bulkRowKept = sealedColumn('sealedKept')

/** The id of a row: its bulk issuance and its number. */
export function readBulkRowId(id: string): { bulkId: string; row: number } {
  const [bulkId = '', row = '0'] = id.split(':')
  return { bulkId, row: Number(row) }
}

function sealedColumn(name: 'sealedClaims' | 'sealedResult' | 'sealedKept'): SealedSecrets {
  const column = bulkRows[name]
  return {
    async find(db, after, limit) {
      const { bulkId, row } = readBulkRowId(after)
      const isAfter = or(gt(bulkRows.bulkId, bulkId), and(eq(bulkRows.bulkId, bulkId), gt(bulkRows.row, row)))
      const rows = await db
        .select({ tenantId: bulkRows.tenantId, bulkId: bulkRows.bulkId, row: bulkRows.row, sealed: column })
        .from(bulkRows)
        .where(and(isAfter, isNotNull(column)))
        .orderBy(asc(bulkRows.bulkId), asc(bulkRows.row))
        .limit(limit)
      return rows.map(({ tenantId, bulkId, row, sealed }) => ({
        tenantId,
        id: `${bulkId}:${row}`,
        sealed: sealed ?? '',
      }))
    },
    async replace(tx, { tenantId, id, sealed }, resealed) {
      const { bulkId, row } = readBulkRowId(id)
      const isRow = and(eq(bulkRows.tenantId, tenantId), eq(bulkRows.bulkId, bulkId), eq(bulkRows.row, row))
      await tx
        .update(bulkRows)
        .set({ [name]: resealed })
        .where(and(isRow, eq(column, sealed)))
    },
  }
}
