import { and, asc, eq, gte, inArray, isNotNull, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { dialect, oneOf } from '../../../columns.ts'
import { prepared } from '../../../engine/prepared.ts'
import { type ListenerAnswer, listenerRequests } from '../../../tables/operations/listener-requests.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'
import { deleteWebhook, type WebhookRow } from './webhooks.ts'

export type ListenerRequestRow = typeof listenerRequests.$inferSelect

export type ListenerRef = Pick<ListenerRequestRow, 'tenantId' | 'webhookId'>

export type NewListenerRequest = Pick<ListenerRequestRow, 'id' | 'tenantId' | 'webhookId' | 'sealedRequest'>

/** Finds a webhook that is a listener. */
export async function findListener(db: Reader, tenantId: string, id: string): Promise<WebhookRow | undefined> {
  const ofListener = and(eq(webhooks.tenantId, tenantId), eq(webhooks.id, id), isNotNull(webhooks.leasedUntil))
  const [row] = await db.select().from(webhooks).where(ofListener)
  return row
}

export async function countListeners(db: Reader, tenantId: string): Promise<number> {
  return db.$count(webhooks, and(eq(webhooks.tenantId, tenantId), isNotNull(webhooks.leasedUntil)))
}

/** Renews the leases of listeners of any tenants with one statement. Returns the ids of those that exist. */
export async function renewLeases(
  tx: Writer,
  listeners: readonly ListenerRef[],
  leasedUntil: Date,
): Promise<Set<string>> {
  const existing = tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .innerJoin(
      tableOf(sql`${JSON.stringify(listeners)}`),
      and(eq(webhooks.tenantId, listener.tenantId), eq(webhooks.id, listener.webhookId)),
    )
    .where(isNotNull(webhooks.leasedUntil))
    // Lock order: webhooks by id.
    .orderBy(asc(webhooks.id))
  const held = dialect === 'postgres' ? existing.for('no key update', { of: webhooks }) : existing
  const renewed = await tx
    .update(webhooks)
    .set({ leasedUntil })
    .where(inArray(webhooks.id, held))
    .returning({ id: webhooks.id })
  return new Set(renewed.map(({ id }) => id))
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

/** A listener, and which of its requests were read: those with an id below `from`, and those of `read`. */
export interface ReadListener extends ListenerRef {
  from: string
  read: readonly string[]
}

/** The columns of `tableOf`. */
const listener = {
  tenantId: sql<string>`listener."tenantId"`,
  webhookId: sql<string>`listener."webhookId"`,
  from: sql<string>`listener."from"`,
}

const newRequests = prepared('new_listener_requests', (db) => {
  const { id, tenantId, webhookId, sealedRequest, answer } = listenerRequests
  const ofListener = and(eq(tenantId, listener.tenantId), eq(webhookId, listener.webhookId), gte(id, listener.from))
  return db
    .select({ id, tenantId, webhookId, sealedRequest })
    .from(tableOf(sql`${sql.param(sql.placeholder('listeners'), { mapToDriverValue: JSON.stringify })}`))
    .innerJoin(listenerRequests, ofListener)
    .where(and(isNull(answer), not(oneOf(id, 'read'))))
    .orderBy(asc(id))
    .limit(sql.placeholder('limit'))
})

/** Returns requests of several listeners that have no answer and were not read, the oldest first. */
export async function findNewListenerRequests(
  db: Reader,
  listeners: readonly ReadListener[],
  limit: number,
): Promise<NewListenerRequest[]> {
  const refs = listeners.map(({ read: _, ...ref }) => ref)
  return newRequests(db, { listeners: refs, read: listeners.flatMap(({ read }) => read), limit })
}

/** Makes a table `listener` of a JSON list of listeners. */
function tableOf(list: SQL): SQL {
  return dialect === 'postgres'
    ? sql`json_to_recordset(${list}::json) as listener ("tenantId" text, "webhookId" text, "from" text)`
    : sql`(select value ->> 'tenantId' as "tenantId", value ->> 'webhookId' as "webhookId",
        value ->> 'from' as "from" from json_each(${list})) as listener`
}

/** Stores the answer of a request. Returns false if the request has an answer, or has ended without one. */
export async function answerListenerRequest(
  tx: Writer,
  tenantId: string,
  { webhookId, id }: { webhookId: string; id: string },
  answer: ListenerAnswer,
): Promise<boolean> {
  const { tenantId: ofTenant, webhookId: ofWebhook, id: ofId, answer: answerColumn } = listenerRequests
  const answered = await tx
    .update(listenerRequests)
    .set({ answer })
    .where(and(eq(ofTenant, tenantId), eq(ofWebhook, webhookId), eq(ofId, id), isNull(answerColumn)))
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
