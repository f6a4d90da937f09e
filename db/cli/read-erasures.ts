import { asc } from 'drizzle-orm'
import { z } from 'zod'
import type { Reader } from '../client.ts'
import type { Cursor } from '../page.ts'
import { listAuditEvents } from '../repos/operations/audit/audit.ts'
import { findSubjects } from '../repos/operations/erasures.ts'
import { erasureEvent } from '../retention/erase-with-receipt.ts'
import { auditHeads } from '../tables/operations/audit-heads.ts'
import type { ListedErasure } from './erasure-list.ts'

/** The data of an audit row of an erasure. Rows of versions without receipts have no `erasureId`. */
const ErasureData = z.object({ id: z.string(), erasureId: z.string().optional() })

const rowsAtOnce = 1000

/** Reads the erasures of all tenants since a date. The audit has the ids of the users, which the receipts do not have. */
export async function* readErasures(db: Reader, since: Date): AsyncGenerator<ListedErasure> {
  const ids = await db.select({ id: auditHeads.tenantId }).from(auditHeads).orderBy(asc(auditHeads.tenantId))
  for (const { id } of ids) yield* readErasuresOf(db, id, since)
}

async function* readErasuresOf(db: Reader, tenantId: string, since: Date): AsyncGenerator<ListedErasure> {
  const filters = { types: [`${erasureEvent}_AUDIT`], dateFrom: since }
  let cursor: Cursor | undefined
  do {
    const { rows, next } = await listAuditEvents(db, tenantId, filters, rowsAtOnce, cursor)
    const erased = rows.map(({ data, timestamp }) => ({
      ...ErasureData.parse(data),
      erasedAt: timestamp.toISOString(),
    }))
    const subjects = await findSubjects(
      db,
      tenantId,
      erased.flatMap(({ erasureId }) => erasureId ?? []),
    )
    for (const { id: userId, erasureId = '', erasedAt } of erased) {
      const subject = subjects.get(erasureId)
      yield { tenantId, userId, ...(subject !== undefined && { receipt: { id: erasureId, subject } }), erasedAt }
    }
    cursor = next
  } while (cursor)
}
