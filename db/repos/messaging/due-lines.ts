import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import type { Reader, Writer } from '../../client.ts'
import { paramOf, prepared } from '../../engine/prepared.ts'
import { outgoingLines } from '../../tables/messaging/outgoing-lines.ts'
import { countUpTo } from '../count-up-to.ts'
import { messageQueuedForMs } from './outgoing-messages.ts'

/** The condition of the index on what waits for its time, as the planners of both databases recognize it. */
const waiting = and(isNotNull(outgoingLines.nextAttemptAt), isNull(outgoingLines.queuedUntil))

/** Of each tenant the line whose time comes first. Goes from tenant to tenant in the index: thousands of lines of one cost no more than one. */
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
    .limit(sql.placeholder('most')),
)

/** Nobody needs to know of more. */
const mostCounted = 100_000

/** Lines of all tenants with messages, at most 100,000 of each state: their time comes, or they are a job's. */
export async function countWaitingLines(db: Reader): Promise<{ waiting: number; queued: number }> {
  return {
    // Every id; SQLite's planner goes by the first column of an index, or reads the table.
    waiting: await countUpTo(db, outgoingLines, and(waiting, gt(outgoingLines.tenantId, '')), mostCounted),
    queued: await countUpTo(db, outgoingLines, isNotNull(outgoingLines.queuedUntil), mostCounted),
  }
}

/** The tenants that have a line whose time has come. */
export async function findDueSenders(db: Reader, at: Date, most: number): Promise<string[]> {
  return (await senders(db, { at, most })).map(({ tenantId }) => tenantId)
}

/** Takes lines of a tenant whose time has come, the longest due first, to be queued by the caller. */
export async function takeDueLines(tx: Writer, tenantId: string, at: Date, most: number): Promise<LineRef[]> {
  const queuedUntil = plusMs(at, messageQueuedForMs)
  const ofTenant = and(eq(outgoingLines.tenantId, tenantId), waiting)
  const due = tx
    .select({ id: outgoingLines.id })
    .from(outgoingLines)
    .where(and(ofTenant, lte(outgoingLines.nextAttemptAt, at)))
    .orderBy(asc(outgoingLines.nextAttemptAt))
    .limit(most)
  const taken = await tx
    .update(outgoingLines)
    .set({ queuedUntil })
    .where(and(inArray(outgoingLines.id, due), ofTenant))
    .returning({ lineId: outgoingLines.id })
  return taken.map(({ lineId }) => ({ tenantId, lineId, queuedUntil: queuedUntil.getTime() }))
}

/** An attempt that was begun in time has been written by then, on whatever clock. */
const lastAttemptMs = 15_000

/** Frees lines of all tenants whose jobs did not come in time. Returns how many. */
export async function freeQueuedLines(tx: Writer, at: Date, most: number): Promise<number> {
  const isLate = lte(outgoingLines.queuedUntil, plusMs(at, -lastAttemptMs))
  const late = tx
    .select({ id: outgoingLines.id })
    .from(outgoingLines)
    .where(isLate)
    .orderBy(asc(outgoingLines.queuedUntil))
    .limit(most)
  const freed = await tx
    .update(outgoingLines)
    .set({ queuedUntil: null })
    .where(and(inArray(outgoingLines.id, late), isLate))
    .returning({ id: outgoingLines.id })
  return freed.length
}
