import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../../../shared/clock.ts'
import type { DeliveryRef } from '../../../../shared/jobs/payloads.ts'
import type { Reader, Writer } from '../../../client.ts'
import { dialect, inRow } from '../../../columns.ts'
import { param, paramOf, prepared } from '../../../engine/prepared.ts'
import { deliveries } from '../../../tables/operations/deliveries.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'
import { countUpTo } from '../../count-up-to.ts'
import { lateUntil } from '../../late-jobs.ts'
import { deliveryQueuedForMs } from './deliveries.ts'

/** The condition of the index on deliveries that wait, in a form that the planners of both databases recognize. */
const waiting = and(isNotNull(deliveries.nextAttemptAt), isNull(deliveries.queuedUntil))

export interface DueWebhook {
  tenantId: string
  webhookId: string
  /** The number of failures in a row. */
  failures: number
}

/**
 * The first delivery of each webhook. Jumps from webhook to webhook in the index, so that a million deliveries of a
 * webhook cost no more than one.
 */
const firstOfEach: SQL = sql`(
  with recursive waiting_webhooks (id) as (
    select min(webhook_id) from deliveries where next_attempt_at is not null and queued_until is null
    union all
    select (
      select min(webhook_id) from deliveries
      where next_attempt_at is not null and queued_until is null and webhook_id > waiting_webhooks.id
    ) from waiting_webhooks where waiting_webhooks.id is not null
  )
  select (
    select earliest.id from deliveries as earliest
    where earliest.webhook_id = waiting_webhooks.id
      and earliest.next_attempt_at is not null and earliest.queued_until is null
    order by earliest.next_attempt_at limit 1
  ) from waiting_webhooks where waiting_webhooks.id is not null
)`

/** Finds the deliveries by key. PostgreSQL could scan all deliveries for a join while it has no statistics. */
const isFirst =
  dialect === 'postgres' ? sql`${deliveries.id} = any(array${firstOfEach})` : inArray(deliveries.id, firstOfEach)

const dueWebhooks = prepared('due_webhooks', (db) => {
  const at = paramOf(deliveries.nextAttemptAt, 'at')
  return db
    .select({ tenantId: deliveries.tenantId, webhookId: deliveries.webhookId, failures: webhooks.failures })
    .from(deliveries)
    .leftJoin(webhooks, and(inRow(webhooks.tenantId, deliveries.tenantId), eq(webhooks.id, deliveries.webhookId)))
    .where(
      and(isFirst, lte(deliveries.nextAttemptAt, at), or(isNull(webhooks.pausedUntil), lte(webhooks.pausedUntil, at))),
    )
    .orderBy(asc(deliveries.nextAttemptAt))
    .limit(sql.placeholder('limit'))
})

/** A higher count has no use. */
const maxCounted = 100_000

/**
 * Counts the deliveries of all tenants that have not ended, at most 100,000 of each state: waiting, or queued with a
 * job.
 */
export async function countWaitingDeliveries(db: Reader): Promise<{ waiting: number; queued: number }> {
  return {
    // Matches each id. Without it SQLite reads the table, because its planner needs the first column of an index.
    waiting: await countUpTo(db, deliveries, and(waiting, gt(deliveries.webhookId, '')), maxCounted),
    queued: await countUpTo(db, deliveries, isNotNull(deliveries.queuedUntil), maxCounted),
  }
}

/** Returns the webhooks of all tenants that have a due delivery and are not paused. */
export async function findDueWebhooks(db: Reader, at: Date, limit: number): Promise<DueWebhook[]> {
  const rows = await dueWebhooks(db, { at, limit })
  return rows.map(({ failures, ...row }) => ({ ...row, failures: failures ?? 0 }))
}

const take = prepared('take_due_deliveries', (tx) => {
  const ofWebhook = and(
    eq(deliveries.tenantId, param('tenantId')),
    eq(deliveries.webhookId, param('webhookId')),
    waiting,
  )
  const ids = tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(ofWebhook, lte(deliveries.nextAttemptAt, paramOf(deliveries.nextAttemptAt, 'at'))))
    .orderBy(asc(deliveries.nextAttemptAt))
    .limit(sql.placeholder('limit'))
  return tx
    .update(deliveries)
    .set({ queuedUntil: sql`${paramOf(deliveries.queuedUntil, 'until')}` })
    .where(and(eq(deliveries.tenantId, param('tenantId')), inArray(deliveries.id, ids), waiting))
    .returning({ deliveryId: deliveries.id })
})

/** Takes due deliveries of a webhook, the longest due first. The caller queues them. */
export async function takeDueDeliveries(
  tx: Writer,
  { tenantId, webhookId }: Pick<DueWebhook, 'tenantId' | 'webhookId'>,
  at: Date,
  limit: number,
): Promise<DeliveryRef[]> {
  const until = plusMs(at, deliveryQueuedForMs)
  const taken = await take(tx, { tenantId, webhookId, at, until, limit })
  return taken.map(({ deliveryId }) => ({ tenantId, webhookId, deliveryId, queuedUntil: until.getTime() }))
}

/** A queued delivery that was not attempted. */
export interface Returned extends DeliveryRef {
  nextAttemptAt: Date
}

/** Releases deliveries, each until its next attempt. A delivery that the job no longer holds does not change. */
export async function returnDeliveries(tx: Writer, returned: Returned[]): Promise<void> {
  const groups = Map.groupBy(returned, (each) => `${each.tenantId} ${each.queuedUntil} ${each.nextAttemptAt.getTime()}`)
  for (const group of groups.values()) {
    const [{ tenantId, queuedUntil, nextAttemptAt }] = group as [Returned]
    const ids = group.map(({ deliveryId }) => deliveryId)
    await tx
      .update(deliveries)
      .set({ queuedUntil: null, nextAttemptAt })
      .where(
        and(
          eq(deliveries.tenantId, tenantId),
          inArray(deliveries.id, ids),
          eq(deliveries.queuedUntil, new Date(queuedUntil)),
        ),
      )
  }
}

/** Frees deliveries of all tenants whose jobs are late, or were lost with Redis at `emptiedAt`. Returns their number. */
export async function freeQueuedDeliveries(tx: Writer, at: Date, limit: number, emptiedAt?: Date): Promise<number> {
  const isLate = lte(deliveries.queuedUntil, lateUntil(at, emptiedAt, deliveryQueuedForMs))
  const late = tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(isLate)
    .orderBy(asc(deliveries.queuedUntil))
    .limit(limit)
  const freed = await tx
    .update(deliveries)
    .set({ queuedUntil: null })
    .where(and(inArray(deliveries.id, late), isLate))
    .returning({ id: deliveries.id })
  return freed.length
}
