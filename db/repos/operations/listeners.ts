import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { type ListenerAnswer, listenerRequests } from '../../tables/operations/listener-requests.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'
import { deleteWebhook, type WebhookRow } from './webhooks.ts'

export type ListenerRequestRow = typeof listenerRequests.$inferSelect

/** Finds a webhook that is a listener. */
export async function findListener(db: Reader, tenantId: string, id: string): Promise<WebhookRow | undefined> {
  const ofListener = and(eq(webhooks.tenantId, tenantId), eq(webhooks.id, id), isNotNull(webhooks.leasedUntil))
  const [row] = await db.select().from(webhooks).where(ofListener)
  return row
}

export async function countListeners(db: Reader, tenantId: string): Promise<number> {
  return db.$count(webhooks, and(eq(webhooks.tenantId, tenantId), isNotNull(webhooks.leasedUntil)))
}

/** Returns false if the listener does not exist. */
export async function renewLease(tx: Writer, tenantId: string, id: string, leasedUntil: Date): Promise<boolean> {
  const renewed = await tx
    .update(webhooks)
    .set({ leasedUntil })
    .where(and(eq(webhooks.tenantId, tenantId), eq(webhooks.id, id), isNotNull(webhooks.leasedUntil)))
    .returning({ id: webhooks.id })
  return renewed.length === 1
}

/** Removes the listeners of all tenants whose streams ended. Returns their number. */
export async function removeEndedListeners(tx: Writer, at: Date, limit: number): Promise<number> {
  const ended = await tx
    .select({ id: webhooks.id, tenantId: webhooks.tenantId })
    .from(webhooks)
    .where(and(isNotNull(webhooks.leasedUntil), lte(webhooks.leasedUntil, at)))
    .orderBy(asc(webhooks.leasedUntil))
    .limit(limit)
  // Lock order: webhooks by id.
  for (const { id, tenantId } of ended.sort((a, b) => (a.id < b.id ? -1 : 1))) await deleteWebhook(tx, tenantId, id, at)
  return ended.length
}

export async function insertListenerRequest(tx: Writer, row: Omit<ListenerRequestRow, 'answer'>): Promise<void> {
  await tx.insert(listenerRequests).values({ ...row, answer: null })
}

/** Returns the requests of a listener without an answer, the oldest first. */
export async function findOpenListenerRequests(
  db: Reader,
  tenantId: string,
  webhookId: string,
  limit: number,
): Promise<ListenerRequestRow[]> {
  const ofListener = and(eq(listenerRequests.tenantId, tenantId), eq(listenerRequests.webhookId, webhookId))
  return db
    .select()
    .from(listenerRequests)
    .where(and(ofListener, isNull(listenerRequests.answer)))
    .orderBy(asc(listenerRequests.id))
    .limit(limit)
}

/** Stores the answer of a request. Returns false if the request has an answer, or has ended without one. */
export async function answerListenerRequest(
  tx: Writer,
  tenantId: string,
  { webhookId, id }: { webhookId: string; id: string },
  answer: ListenerAnswer,
): Promise<boolean> {
  const { tenantId: ofTenant, webhookId: ofWebhook, id: ofId, answer: given } = listenerRequests
  const answered = await tx
    .update(listenerRequests)
    .set({ answer })
    .where(and(eq(ofTenant, tenantId), eq(ofWebhook, webhookId), eq(ofId, id), isNull(given)))
    .returning({ id: ofId })
  return answered.length === 1
}

export async function findListenerAnswer(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<ListenerAnswer | undefined> {
  const ofRequest = and(eq(listenerRequests.tenantId, tenantId), eq(listenerRequests.id, id))
  const [row] = await db.select({ answer: listenerRequests.answer }).from(listenerRequests).where(ofRequest)
  return row?.answer ?? undefined
}

export async function deleteListenerRequest(tx: Writer, tenantId: string, id: string): Promise<void> {
  await tx.delete(listenerRequests).where(and(eq(listenerRequests.tenantId, tenantId), eq(listenerRequests.id, id)))
}
