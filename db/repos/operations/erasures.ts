import { and, eq, gte, inArray, isNull } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { auditEvents } from '../../tables/operations/audit-events.ts'
import { erasures } from '../../tables/operations/erasures.ts'
import { chunksOf } from '../chunks.ts'
import { listPage } from '../list-page.ts'
import type { AuditHead } from './audit/audit.ts'

export type ErasureRow = typeof erasures.$inferSelect

export async function insertErasure(tx: Writer, row: typeof erasures.$inferInsert): Promise<void> {
  await tx.insert(erasures).values(row)
}

export function findErasure(db: Reader, tenantId: string, id: string): Promise<ErasureRow | undefined> {
  return findRow(db, erasures, tenantId, id)
}

/** Returns the erasure with this subject since a time. */
export async function findErasureOfSubject(
  db: Reader,
  tenantId: string,
  subject: string,
  since: Date,
): Promise<ErasureRow | undefined> {
  const isRecent = and(eq(erasures.tenantId, tenantId), gte(erasures.createdAt, since))
  const [row] = await db
    .select()
    .from(erasures)
    .where(and(isRecent, eq(erasures.subject, subject)))
    .limit(1)
  return row
}

export async function listErasures(db: Reader, tenantId: string, page: PageRequest): Promise<ErasureRow[]> {
  return listPage(db, erasures, tenantId, page)
}

/** Returns the subjects of erasures by their ids. */
export async function findSubjects(db: Reader, tenantId: string, ids: string[]): Promise<ReadonlyMap<string, string>> {
  const { id, subject } = erasures
  const subjects = new Map<string, string>()
  for (const chunk of chunksOf(ids)) {
    const ofChunk = and(eq(erasures.tenantId, tenantId), inArray(id, chunk))
    for (const row of await db.select({ id, subject }).from(erasures).where(ofChunk)) subjects.set(row.id, row.subject)
  }
  return subjects
}

/** Returns number and hash of the audit row of the request that erased a user. */
export async function findErasureAudit(
  db: Reader,
  tenantId: string,
  requestId: string,
): Promise<AuditHead | undefined> {
  const { number, hash, type } = auditEvents
  const [row] = await db
    .select({ number, hash })
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.requestId, requestId), eq(type, 'USER_DELETE_AUDIT')))
  return row
}

/** Stores the receipt of an erasure that has none. */
export async function storeReceipt(
  tx: Writer,
  tenantId: string,
  id: string,
  signed: { receipt: string; auditNumber: number },
): Promise<void> {
  await tx
    .update(erasures)
    .set(signed)
    .where(and(eq(erasures.tenantId, tenantId), eq(erasures.id, id), isNull(erasures.receipt)))
}
