import type { Reader } from '../../../db/client.ts'
import { findInbox, type InboxRow } from '../../../db/repos/messaging/inboxes.ts'
import { notFound } from '../../../shared/errors/errors.ts'

/** Returns the inbox in the path. Throws `not_found`. */
export async function getInbox(db: Reader, tenantId: string, id: string): Promise<InboxRow> {
  const inbox = await findInbox(db, tenantId, id)
  if (!inbox) throw notFound('id', id)
  return inbox
}
