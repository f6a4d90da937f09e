import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import { approvals } from '../../tables/operations/approvals.ts'
import type { SealedSecrets } from '../issuance/sealed-secrets.ts'

/** Requests that wait for an approval. */
export const approvalRequests = sealedColumn('sealedRequest')

/** Answers of approved requests. */
export const approvalAnswers = sealedColumn('sealedAnswer')

function sealedColumn(name: 'sealedRequest' | 'sealedAnswer'): SealedSecrets {
  const { tenantId, id, [name]: column } = approvals
  return {
    async find(db, after, limit) {
      const rows = await db
        .select({ tenantId, id, sealed: column })
        .from(approvals)
        .where(and(gt(id, after), isNotNull(column)))
        .orderBy(asc(id))
        .limit(limit)
      return rows.map((row) => ({ ...row, sealed: row.sealed ?? '' }))
    },
    async replace(tx, secret, resealed) {
      const isRow = and(eq(tenantId, secret.tenantId), eq(id, secret.id))
      await tx
        .update(approvals)
        .set({ [name]: resealed })
        .where(and(isRow, eq(column, secret.sealed)))
    },
  }
}
