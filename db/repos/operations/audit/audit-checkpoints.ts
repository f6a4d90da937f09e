import { and, asc, desc, eq, gt, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { paramOf, prepared } from '../../../engine/prepared.ts'
import { auditCheckpoints } from '../../../tables/operations/audit-checkpoints.ts'
import { auditHeads } from '../../../tables/operations/audit-heads.ts'

export type AuditCheckpoint = Pick<typeof auditCheckpoints.$inferSelect, 'size' | 'note' | 'createdAt'>

const { size, note, createdAt } = auditCheckpoints

const due = prepared('due_checkpoints', (db) => {
  const { tenantId, number, checkpointSize, checkpointedAt } = auditHeads
  return (
    db
      .select({ tenantId })
      .from(auditHeads)
      .where(
        and(
          gt(number, checkpointSize),
          or(isNull(checkpointedAt), lte(checkpointedAt, paramOf(checkpointedAt, 'before'))),
        ),
      )
      // Without it, PostgreSQL would sort a first checkpoint behind all others.
      .orderBy(sql`${checkpointedAt} asc nulls first`)
      .limit(sql.placeholder('limit'))
  )
})

/**
 * Returns the tenants whose audit has rows after its last checkpoint, which was made by `before` or does not exist. Those without a
 * checkpoint come first, then those that wait longest.
 */
export async function findDueCheckpoints(db: Reader, before: Date, limit: number): Promise<{ tenantId: string }[]> {
  return due(db, { before, limit })
}

/** Returns how many rows the audit of a tenant has. Undefined if it has no audit, because it is being deleted. */
export async function findAuditSize(db: Reader, tenantId: string): Promise<number | undefined> {
  const [head] = await db
    .select({ number: auditHeads.number })
    .from(auditHeads)
    .where(eq(auditHeads.tenantId, tenantId))
  return head?.number
}

/** Adds a checkpoint. Returns false if there is one of this size or a later one, or if the tenant is being deleted. */
export async function insertCheckpoint(tx: Writer, tenantId: string, checkpoint: AuditCheckpoint): Promise<boolean> {
  const isNewer = and(eq(auditHeads.tenantId, tenantId), lt(auditHeads.checkpointSize, checkpoint.size))
  const moved = await tx
    .update(auditHeads)
    .set({ checkpointSize: checkpoint.size, checkpointedAt: checkpoint.createdAt })
    .where(isNewer)
    .returning({ tenantId: auditHeads.tenantId })
  if (moved.length === 0) return false
  await tx.insert(auditCheckpoints).values({ tenantId, ...checkpoint })
  return true
}

/** Returns the id of a checkpoint as the subject of events for webhooks. The same sizes of two tenants have different ids. */
export function checkpointSubject(tenantId: string, ofSize: number): string {
  return `${tenantId}-${ofSize}`
}

/** Returns the size of the checkpoint with this subject id. */
export function sizeOfSubject(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1))
}

/** Returns the checkpoint of this size, or the last one. */
export async function findCheckpoint(
  db: Reader,
  tenantId: string,
  ofSize: number | 'last',
): Promise<AuditCheckpoint | undefined> {
  const [row] = await db
    .select({ size, note, createdAt })
    .from(auditCheckpoints)
    .where(and(eq(auditCheckpoints.tenantId, tenantId), ofSize === 'last' ? undefined : eq(size, ofSize)))
    .orderBy(desc(size))
    .limit(1)
  return row
}

/** Returns the checkpoints whose sizes are above `after` and up to `to`, by size. */
export async function findCheckpointsBetween(
  db: Reader,
  tenantId: string,
  after: number,
  to: number,
): Promise<AuditCheckpoint[]> {
  return db
    .select({ size, note, createdAt })
    .from(auditCheckpoints)
    .where(and(eq(auditCheckpoints.tenantId, tenantId), gt(size, after), lte(size, to)))
    .orderBy(asc(size))
}
