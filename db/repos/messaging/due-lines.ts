import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import type { Reader, Writer } from '../../client.ts'
import { paramOf, prepared } from '../../engine/prepared.ts'
import { outgoingLines } from '../../tables/messaging/outgoing-lines.ts'
import { countUpTo } from '../count-up-to.ts'
import { lateUntil } from '../late-jobs.ts'
import { messageQueuedForMs } from './outgoing-messages.ts'

/** The condition of the index on lines that wait, in a form that the planners of both databases recognize. */
const waiting = and(isNotNull(outgoingLines.nextAttemptAt), isNull(outgoingLines.queuedUntil))

/**
 * The first line of each tenant. Jumps from tenant to tenant in the index, so that thousands of lines of a tenant cost
 * no more than one.
 */
const firstOfEach: SQL = sql`(
  with recursive waiting_tenants (id) as (
    select min(tenant_id) from outgoing_lines where next_attempt_at is not null and queued_until is null
    union all
    select (
      select min(tenant_id) from outgoing_lines
      where next_attempt_at is not null and queued_until is null and tenant_id > waiting_tenants.id
    ) from waiting_tenants where waiting_tenants.id is not null
  )
  select (
    select earliest.id from outgoing_lines as earliest
    where earliest.tenant_id = waiting_tenants.id
      and earliest.next_attempt_at is not null and earliest.queued_until is null
    order by earliest.next_attempt_at limit 1
  ) from waiting_tenants where waiting_tenants.id is not null
)`

const senders = prepared('due_senders', (db) =>
  db
    .select({ tenantId: outgoingLines.tenantId })
    .from(outgoingLines)
    .where(
      and(
        inArray(outgoingLines.id, firstOfEach),
        lte(outgoingLines.nextAttemptAt, paramOf(outgoingLines.nextAttemptAt, 'at')),
      ),
    )
    .orderBy(asc(outgoingLines.nextAttemptAt))
    .limit(sql.placeholder('limit')),
)

/** A higher count has no use. */
const maxCounted = 100_000

/** Counts the lines of all tenants with messages, at most 100,000 of each state: waiting, or queued with a job. */
export async function countWaitingLines(db: Reader): Promise<{ waiting: number; queued: number }> {
  return {
    // Matches each id. Without it SQLite reads the table, because its planner needs the first column of an index.
    waiting: await countUpTo(db, outgoingLines, and(waiting, gt(outgoingLines.tenantId, '')), maxCounted),
    queued: await countUpTo(db, outgoingLines, isNotNull(outgoingLines.queuedUntil), maxCounted),
  }
}

/** Returns the tenants that have a due line. */
export async function findDueSenders(db: Reader, at: Date, limit: number): Promise<string[]> {
  return (await senders(db, { at, limit })).map(({ tenantId }) => tenantId)
}

/** Takes due lines of a tenant, the longest due first. The caller queues them. */
export async function takeDueLines(tx: Writer, tenantId: string, at: Date, limit: number): Promise<LineRef[]> {
  const queuedUntil = plusMs(at, messageQueuedForMs)
  const ofTenant = and(eq(outgoingLines.tenantId, tenantId), waiting)
  const due = tx
    .select({ id: outgoingLines.id })
    .from(outgoingLines)
    .where(and(ofTenant, lte(outgoingLines.nextAttemptAt, at)))
    .orderBy(asc(outgoingLines.nextAttemptAt))
    .limit(limit)
  const taken = await tx
    .update(outgoingLines)
    .set({ queuedUntil })
    .where(and(inArray(outgoingLines.id, due), ofTenant))
    .returning({ lineId: outgoingLines.id })
  return taken.map(({ lineId }) => ({ tenantId, lineId, queuedUntil: queuedUntil.getTime() }))
}

/** Frees lines of all tenants whose jobs are late, or were lost with Redis at `emptiedAt`. Returns their number. */
export async function freeQueuedLines(tx: Writer, at: Date, limit: number, emptiedAt?: Date): Promise<number> {
  const isLate = lte(outgoingLines.queuedUntil, lateUntil(at, emptiedAt, messageQueuedForMs))
  const late = tx
    .select({ id: outgoingLines.id })
    .from(outgoingLines)
    .where(isLate)
    .orderBy(asc(outgoingLines.queuedUntil))
    .limit(limit)
  const freed = await tx
    .update(outgoingLines)
    .set({ queuedUntil: null })
    .where(and(inArray(outgoingLines.id, late), isLate))
    .returning({ id: outgoingLines.id })
  return freed.length
}
