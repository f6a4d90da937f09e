import { and, count, eq, lt, ne, or, sql } from 'drizzle-orm'
import { plusMs } from '../../../../shared/clock.ts'
import {
  eventKinds,
  type SubjectKind,
  type WebhookEventKind,
} from '../../../../shared/domain/operations/webhook-events.ts'
import { derivedOrderedId } from '../../../../shared/ids.ts'
import type { DeliveryRef } from '../../../../shared/jobs/payloads.ts'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { gathered } from '../../../engine/gathered.ts'
import { param, paramOf, prepared, preparedByIds, preparedInsert } from '../../../engine/prepared.ts'
import type { OutboxEntry } from '../../../outbox.ts'
import { type Cursor, directions, type SortOrder } from '../../../page.ts'
import { type DeliveryAttempt, type DeliveryState, deliveries } from '../../../tables/operations/deliveries.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'

export type DeliveryRow = typeof deliveries.$inferSelect

/** The condition of the index on undelivered rows, in a form that the planners of both databases recognize. */
export const undelivered = sql`${deliveries.state} <> 'delivered'`

/** The time that a job holds a queued delivery. A later job is lost, or waits behind many others. */
export const deliveryQueuedForMs = 60_000

/** Returns the outbox entry of a queued delivery, with the highest priority by default. */
export function deliveryJob(
  { tenantId, webhookId, id, queuedUntil }: DeliveryRow,
  { priority = 0, ...how }: { priority?: number } & Pick<DeliveryRef, 'despitePause'> = {},
): OutboxEntry<'deliverWebhooks'> {
  const until = queuedUntil?.getTime() ?? 0
  return {
    id: `${id}-${until}`,
    payload: { tenantId, webhookId, deliveryId: id, queuedUntil: until, ...how },
    priority,
  }
}

/**
 * Returns the kind of the subject. Rows of earlier versions have none and are about an issuance, or about nothing for a
 * test.
 */
export function subjectKindOf({ subjectKind, objectId }: Pick<DeliveryRow, 'subjectKind' | 'objectId'>): SubjectKind {
  return subjectKind ?? (objectId === null ? 'test' : 'issuance')
}

/** Derives the id of an event from its subject, so that a repeated run produces the same event. */
export function eventIdOf({ objectId, at }: { objectId: string; at: Date }, kind: WebhookEventKind): string {
  return derivedOrderedId(at, objectId, kind)
}

export type NewDelivery = Pick<DeliveryRow, 'tenantId' | 'webhookId' | 'eventId' | 'kind' | 'objectId' | 'eventAt'> & {
  subjectKind: SubjectKind
  /** The generation of the webhook. 0 if absent. */
  generation?: number
  traceparent?: string | null
}

/**
 * Returns a delivery that is due and queued. Its id derives from webhook and event, so that an event has one delivery
 * per webhook.
 */
export function newDelivery(event: NewDelivery, at: Date): DeliveryRow {
  return {
    generation: 0,
    traceparent: null,
    ...event,
    id: derivedOrderedId(event.eventAt, event.webhookId, event.eventId),
    state: 'pending',
    attempts: [],
    attemptsMade: 0,
    nextAttemptAt: at,
    queuedUntil: plusMs(at, deliveryQueuedForMs),
    createdAt: at,
  }
}

/** Returns the ids of all possible deliveries about these credentials to these webhooks. */
export function deliveryIdsOf(
  tenantId: string,
  issued: { id: string; issuedAt: Date }[],
  webhookIds: string[],
): string[] {
  return issued.flatMap(({ id: objectId, issuedAt: eventAt }) =>
    eventKinds.issuance.flatMap((kind) => {
      const eventId = eventIdOf({ objectId, at: eventAt }, kind)
      const event = { tenantId, eventId, kind, subjectKind: 'issuance' as const, objectId, eventAt }
      return webhookIds.map((webhookId) => newDelivery({ ...event, webhookId }, eventAt).id)
    }),
  )
}

/** Inserts deliveries. Ignores existing ones. */
export const insertDeliveries = preparedInsert('insert_deliveries', deliveries, 'doNothing')

const pendingCount = prepared('count_pending_deliveries', (db) => {
  const pending = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, param('tenantId')), eq(deliveries.state, 'pending'), undelivered))
    .limit(sql.placeholder('limit'))
    .as('pending')
  return db.select({ count: count() }).from(pending)
})

/** Counts the pending deliveries of the tenant up to `limit`. */
export async function countPending(db: Reader, tenantId: string, limit: number): Promise<number> {
  const [row] = await pendingCount(db, { tenantId, limit })
  return row?.count ?? 0
}

export async function findDelivery(
  db: Reader,
  tenantId: string,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.webhookId, webhookId), eq(deliveries.id, id)))
  return row
}

export interface DeliveryQuery {
  state?: DeliveryState | undefined
  order?: SortOrder
  limit: number
  cursor?: Cursor | undefined
}

export async function listDeliveries(
  db: Reader,
  tenantId: string,
  webhookId: string,
  { state, order = 'oldest', limit, cursor }: DeliveryQuery,
): Promise<DeliveryRow[]> {
  const ofWebhook = and(eq(deliveries.tenantId, tenantId), eq(deliveries.webhookId, webhookId))
  const ofState = state && and(eq(deliveries.state, state), state === 'delivered' ? undefined : undelivered)
  const { behind, by } = directions[order]
  return db
    .select()
    .from(deliveries)
    .where(and(ofWebhook, ofState, behind(deliveries.createdAt, deliveries.id, cursor)))
    .orderBy(by(deliveries.createdAt), by(deliveries.id))
    .limit(limit + 1)
}

const toSend = preparedByIds('deliveries_to_send', (db, ids) =>
  db
    .select({
      delivery: deliveries,
      webhook: {
        url: webhooks.url,
        disabled: webhooks.disabled,
        generation: webhooks.generation,
        pausedUntil: webhooks.pausedUntil,
        leasedUntil: webhooks.leasedUntil,
      },
    })
    .from(deliveries)
    .leftJoin(webhooks, and(inRow(webhooks.tenantId, deliveries.tenantId), eq(webhooks.id, deliveries.webhookId)))
    .where(and(inRow(deliveries.tenantId, param('tenantId')), sql`${deliveries.id} in ${ids}`)),
)

const toSendById = gathered(async (db, tenantId, ids) => {
  const rows = await toSend(db, ids, { tenantId })
  return new Map(rows.map((row) => [row.delivery.id, row]))
})

/** Returns a delivery and its webhook. The webhook is null if it was deleted. */
export async function findDeliveryToSend(db: Reader, tenantId: string, id: string) {
  return toSendById(db, tenantId, id)
}

export interface RecordedAttempt {
  attempt: DeliveryAttempt
  state: DeliveryState
  /** Set if the state is `pending`. */
  nextAttemptAt: Date | null
}

const record = prepared('record_attempt', (tx) =>
  tx
    .update(deliveries)
    .set({
      state: paramOf(deliveries.state, 'state'),
      attempts: paramOf(deliveries.attempts, 'attempts'),
      attemptsMade: paramOf(deliveries.attemptsMade, 'nextAttemptsMade'),
      nextAttemptAt: paramOf(deliveries.nextAttemptAt, 'nextAttemptAt'),
      queuedUntil: null,
    })
    .where(
      and(
        inRow(deliveries.tenantId, param('tenantId')),
        eq(deliveries.id, param('id')),
        eq(deliveries.attemptsMade, param('attemptsMade')),
        eq(deliveries.generation, param('generation')),
      ),
    )
    .returning({ id: deliveries.id }),
)

/** Records an attempt. Returns false if another run recorded it or the delivery was replayed. */
export async function recordAttempt(
  tx: Writer,
  { tenantId, id, generation, attempts, attemptsMade }: DeliveryRow,
  { attempt, state, nextAttemptAt }: RecordedAttempt,
): Promise<boolean> {
  const rows = await record(tx, {
    tenantId,
    id,
    generation,
    attemptsMade,
    state,
    attempts: [...attempts, attempt],
    nextAttemptsMade: attemptsMade + 1,
    nextAttemptAt,
  })
  return rows.length === 1
}

/** Adds attempts to the list of a delivery. Does nothing if its row has changed since it was read. */
export async function addAttempts(
  tx: Writer,
  { tenantId, id, attempts, queuedUntil }: DeliveryRow,
  added: DeliveryAttempt[],
): Promise<void> {
  if (!queuedUntil) return
  await tx
    .update(deliveries)
    .set({ attempts: [...attempts, ...added] })
    .where(and(inRow(deliveries.tenantId, tenantId), eq(deliveries.id, id), eq(deliveries.queuedUntil, queuedUntil)))
}

/**
 * Ends a pending delivery whose webhook was disabled or whose event does not exist any more. Does nothing after a
 * replay.
 */
export async function endDelivery(
  tx: Writer,
  tenantId: string,
  { id, generation }: Pick<DeliveryRow, 'id' | 'generation'>,
): Promise<void> {
  await tx
    .update(deliveries)
    .set({ state: 'failed', nextAttemptAt: null, queuedUntil: null })
    .where(
      and(
        inRow(deliveries.tenantId, tenantId),
        eq(deliveries.id, id),
        eq(deliveries.state, 'pending'),
        eq(deliveries.generation, generation),
      ),
    )
}

/** Deletes a delivery that was created during the deletion of its webhook. */
export async function deleteDelivery(tx: Writer, tenantId: string, id: string): Promise<void> {
  await tx.delete(deliveries).where(and(inRow(deliveries.tenantId, tenantId), eq(deliveries.id, id)))
}

/**
 * Restarts the schedule of an ended delivery and queues it, with the current `generation` of the webhook. A pending
 * delivery of an earlier generation counts as ended. Returns undefined if the delivery has not ended.
 */
export async function restartDelivery(
  tx: Writer,
  tenantId: string,
  id: string,
  generation: number,
  at: Date,
): Promise<DeliveryRow | undefined> {
  const hasEnded = or(ne(deliveries.state, 'pending'), lt(deliveries.generation, generation))
  const [row] = await tx
    .update(deliveries)
    .set({
      state: 'pending',
      generation,
      attemptsMade: 0,
      nextAttemptAt: at,
      queuedUntil: plusMs(at, deliveryQueuedForMs),
    })
    .where(and(inRow(deliveries.tenantId, tenantId), eq(deliveries.id, id), hasEnded))
    .returning()
  return row
}
