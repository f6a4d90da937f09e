import { and, eq } from 'drizzle-orm'
import { newId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import { addToOutbox } from '../../outbox.ts'
import type { PageRequest } from '../../page.ts'
import { inboxDids } from '../../tables/messaging/inbox-dids.ts'
import { inboxes } from '../../tables/messaging/inboxes.ts'
import { listPage } from '../list-page.ts'

export type InboxRow = typeof inboxes.$inferSelect

export async function insertInbox(tx: Writer, tenantId: string, name: string, at: Date): Promise<InboxRow> {
  const inbox = { id: newId(), tenantId, name, lastMessageAt: null, createdAt: at }
  await tx.insert(inboxes).values(inbox)
  return inbox
}

export function findInbox(db: Reader, tenantId: string, id: string): Promise<InboxRow | undefined> {
  return findRow(db, inboxes, tenantId, id)
}

export function listInboxes(db: Reader, tenantId: string, page: PageRequest): Promise<InboxRow[]> {
  return listPage(db, inboxes, tenantId, page)
}

/** Returns undefined if the inbox does not exist. */
export async function renameInbox(
  tx: Writer,
  tenantId: string,
  id: string,
  name: string,
): Promise<InboxRow | undefined> {
  const [row] = await tx.update(inboxes).set({ name }).where(byId(tenantId, id)).returning()
  return row
}

/**
 * Deletes an inbox and frees its DIDs. A job of the outbox removes its messages, possibly very many. Returns false if
 * the inbox does not exist.
 */
export async function deleteInbox(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const rows = await tx.delete(inboxes).where(byId(tenantId, id)).returning({ id: inboxes.id })
  if (rows.length === 0) return false
  await tx.delete(inboxDids).where(and(eq(inboxDids.tenantId, tenantId), eq(inboxDids.inboxId, id)))
  await addToOutbox(tx, 'removeInbox', [{ id, payload: { tenantId, inboxId: id } }], at)
  return true
}

function byId(tenantId: string, id: string) {
  return and(inRow(inboxes.tenantId, tenantId), eq(inboxes.id, id))
}
