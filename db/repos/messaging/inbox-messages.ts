import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import { type EncryptedMessage, messageBytes } from '../../../shared/domain/messaging/messages.ts'
import { defaultQuotas } from '../../../shared/domain/tenancy/limits.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { hold } from '../../hold.ts'
import { afterCursor, type Cursor, cutPage, type Walked } from '../../page.ts'
import { inboxMessages } from '../../tables/messaging/inbox-messages.ts'
import { inboxes } from '../../tables/messaging/inboxes.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { findInboxesFor } from './inbox-dids.ts'

export type InboxMessageRow = typeof inboxMessages.$inferSelect

type Put = 'taken' | 'known' | 'full'

export interface SentMessage {
  /** A DID. */
  recipient: string
  message: EncryptedMessage
  at: Date
}

/**
 * Stores a message in each inbox of this service that accepts messages to its recipient. Returns `nowhere` if no inbox
 * does. Returns `full` if all these inboxes have reached a limit.
 */
export async function storeInInboxes(
  tx: Writer,
  { senderId, ...sent }: SentMessage & { senderId: string },
): Promise<'put' | 'full' | 'nowhere'> {
  const outcomes: Put[] = []
  for (const { tenantId, inboxId } of await findInboxesFor(tx, senderId, sent.recipient)) {
    const put = await putMessage(tx, tenantId, inboxId, sent)
    if (put) outcomes.push(put)
  }
  if (outcomes.length === 0) return 'nowhere'
  return outcomes.every((each) => each === 'full') ? 'full' : 'put'
}

/**
 * Stores a message in an inbox. Returns undefined if the inbox does not exist, and `known` if it already has a message
 * with the same bytes.
 */
export async function putMessage(
  tx: Writer,
  tenantId: string,
  inboxId: string,
  { recipient, message, at }: SentMessage,
): Promise<Put | undefined> {
  // The hold orders the times of messages and makes concurrent messages count each other.
  const inbox = await hold(tx, inboxes, tenantId, inboxId)
  if (!inbox) return undefined
  const { bytes, sha256 } = messageBytes(message)
  const ofInbox = and(eq(inboxMessages.tenantId, tenantId), eq(inboxMessages.inboxId, inboxId))
  const isSame = and(eq(inboxMessages.inboxId, inboxId), eq(inboxMessages.sha256, sha256))
  if ((await tx.$count(inboxMessages, isSame)) > 0) return 'known'
  const { inboxMessages: maxMessages, inboxBytes: maxBytes, inboxDays } = await limitsOf(tx, tenantId)
  const held = await contentsOf(tx, ofInbox)
  if (held.messages >= maxMessages || held.bytes + bytes.length > maxBytes) return 'full'

  const { lastMessageAt } = inbox
  const createdAt = lastMessageAt && lastMessageAt >= at ? plusMs(lastMessageAt, 1) : at
  await tx.insert(inboxMessages).values({
    ...{ id: newOrderedId(createdAt), tenantId, inboxId, recipient, message, sha256, sizeBytes: bytes.length },
    ...{ createdAt, expiresAt: plusMs(at, inboxDays * dayMs) },
  })
  await tx
    .update(inboxes)
    .set({ lastMessageAt: createdAt })
    .where(and(inRow(inboxes.tenantId, tenantId), eq(inboxes.id, inboxId)))
  return 'taken'
}

async function contentsOf(tx: Writer, ofInbox: SQL | undefined): Promise<{ messages: number; bytes: number }> {
  const bytes = sql`coalesce(sum(${inboxMessages.sizeBytes}), 0)`.mapWith(Number)
  const [held] = await tx.select({ messages: count(), bytes }).from(inboxMessages).where(ofInbox)
  return held ?? { messages: 0, bytes: 0 }
}

async function limitsOf(tx: Writer, tenantId: string): Promise<typeof defaultQuotas> {
  const [tenant] = await tx.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, tenantId))
  return { ...defaultQuotas, ...tenant?.settings.limits }
}

export async function findInboxMessage(
  db: Reader,
  tenantId: string,
  inboxId: string,
  id: string,
): Promise<InboxMessageRow | undefined> {
  const [row] = await db
    .select()
    .from(inboxMessages)
    .where(byId(tenantId, inboxId, id))
  return row
}

/** The maximum size of a page. A page with one message can be larger. */
const pageBytes = 4_000_000

/** Returns a page of an inbox in the order of arrival. Large messages make a page shorter. */
export async function listInboxMessages(
  db: Reader,
  tenantId: string,
  inboxId: string,
  limit: number,
  cursor?: Cursor,
): Promise<Walked<InboxMessageRow>> {
  const { id, createdAt, sizeBytes } = inboxMessages
  const messages = await db
    .select({ id, createdAt, sizeBytes })
    .from(inboxMessages)
    .where(
      and(eq(inboxMessages.tenantId, tenantId), eq(inboxMessages.inboxId, inboxId), afterCursor(createdAt, id, cursor)),
    )
    .orderBy(asc(createdAt), asc(id))
    .limit(limit + 1)
  const { rows, next } = cutPage(messages, fitting(messages, limit), (row) => ({ at: row.createdAt, id: row.id }))
  const whole = await db
    .select()
    .from(inboxMessages)
    .where(
      and(
        inRow(inboxMessages.tenantId, tenantId),
        inArray(
          inboxMessages.id,
          rows.map((row) => row.id),
        ),
      ),
    )
    .orderBy(asc(createdAt), asc(id))
  return { rows: whole, ...(next && { next }) }
}

/** Returns how many of the rows fit in a page, at least one. */
function fitting(rows: readonly { sizeBytes: number }[], limit: number): number {
  let [count, bytes] = [0, 0]
  for (const { sizeBytes } of rows.slice(0, limit)) {
    bytes += sizeBytes
    if (bytes > pageBytes && count > 0) return count
    count++
  }
  return limit
}

export async function deleteInboxMessage(tx: Writer, tenantId: string, inboxId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(inboxMessages)
    .where(byId(tenantId, inboxId, id))
    .returning({ id: inboxMessages.id })
  return rows.length === 1
}

function byId(tenantId: string, inboxId: string, id: string) {
  return and(inRow(inboxMessages.tenantId, tenantId), eq(inboxMessages.inboxId, inboxId), eq(inboxMessages.id, id))
}
