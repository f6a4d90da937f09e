import { and, eq, isNull, sql } from 'drizzle-orm'
import { receivesFound } from '../../../../shared/domain/operations/change-events.ts'
import {
  eventKinds,
  type FannedOutKind,
  type WebhookEventKind,
} from '../../../../shared/domain/operations/webhook-events.ts'
import { newOrderedId } from '../../../../shared/ids.ts'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, prepared } from '../../../engine/prepared.ts'
import { findRow } from '../../../find-row.ts'
import { addToOutbox } from '../../../outbox.ts'
import type { PageRequest } from '../../../page.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'
import { listPage } from '../../list-page.ts'

export type WebhookRow = typeof webhooks.$inferSelect

export interface WebhookChanges {
  events: WebhookEventKind[]
  url: string
  /** Absent: no change. */
  disabled?: boolean
}

/** A webhook with `leasedUntil` is a listener. */
export async function insertWebhook(
  tx: Writer,
  tenantId: string,
  { events, url, disabled = false }: WebhookChanges,
  at: Date,
  leasedUntil: Date | null = null,
): Promise<WebhookRow> {
  const foundUntil = receivesFound(events) ? at : null
  const health = { failures: 0, failingSince: null, pausedUntil: null, leasedUntil, foundUntil }
  const webhook = { id: newOrderedId(at), tenantId, events, url, disabled, generation: 0, ...health, createdAt: at }
  await tx.insert(webhooks).values(webhook)
  return webhook
}

export function findWebhook(db: Reader, tenantId: string, id: string): Promise<WebhookRow | undefined> {
  return findRow(db, webhooks, tenantId, id)
}

const enabled = prepared('enabled_webhooks', (db) =>
  db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.tenantId, param('tenantId')), eq(webhooks.disabled, false))),
)

export async function findEnabledWebhooks(db: Reader, tenantId: string): Promise<WebhookRow[]> {
  return enabled(db, { tenantId })
}

/**
 * Returns the kinds of events that the enabled webhooks and listeners of a tenant receive. Read it in the transaction of an event: without a
 * receiver, the event needs no outbox row. A webhook that is created at the same time gets all deliveries of the event, or none.
 */
export async function findReceivedKinds(tx: Writer, tenantId: string): Promise<Set<string>> {
  const enabledWebhooks = await findEnabledWebhooks(tx, tenantId)
  return new Set(enabledWebhooks.flatMap(({ events }) => events))
}

/** Whether enabled webhooks or listeners of a tenant receive an event of this kind of subject. See `findReceivedKinds`. */
export async function isReceived(tx: Writer, tenantId: string, kind: FannedOutKind): Promise<boolean> {
  const received = await findReceivedKinds(tx, tenantId)
  return eventKinds[kind].some((each) => received.has(each))
}

/** Returns the webhooks of a tenant without its listeners. */
export function listWebhooks(db: Reader, tenantId: string, page: PageRequest): Promise<WebhookRow[]> {
  return listPage(db, webhooks, tenantId, page, isNull(webhooks.leasedUntil))
}

/** Returns undefined if it does not exist. */
export async function updateWebhook(
  tx: Writer,
  tenantId: string,
  id: string,
  changes: Partial<WebhookChanges>,
  at: Date,
): Promise<WebhookRow | undefined> {
  const { events } = changes
  const until = sql`coalesce(${webhooks.foundUntil}, ${sql.param(at, webhooks.foundUntil)})`
  const foundUntil = events && { foundUntil: receivesFound(events) ? until : null }
  const [row] = await tx
    .update(webhooks)
    .set({ ...changes, ...foundUntil })
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, id)))
    .returning()
  return row
}

export async function findWebhookIdsOf(db: Reader, tenantId: string): Promise<string[]> {
  const rows = await db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.tenantId, tenantId))
  return rows.map(({ id }) => id)
}

/**
 * Deletes a webhook. A job of the outbox deletes its deliveries, which may be millions. Returns false if it does not
 * exist.
 */
export async function deleteWebhook(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const rows = await tx
    .delete(webhooks)
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, id)))
    .returning({ id: webhooks.id })
  if (rows.length === 0) return false
  await addToOutbox(tx, 'removeWebhook', [{ id, payload: { tenantId, webhookId: id } }], at)
  return true
}
