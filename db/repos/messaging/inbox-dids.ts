import { and, asc, eq, isNotNull, isNull, or } from 'drizzle-orm'
import { newId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import type { PageRequest } from '../../page.ts'
import { inboxDids } from '../../tables/messaging/inbox-dids.ts'
import { type DidRow, findDid } from '../identifiers/dids.ts'
import { listPage } from '../list-page.ts'

export type InboxDidRow = typeof inboxDids.$inferSelect

/** Registers a DID for an inbox. Returns false if an inbox of the tenant already has the DID. */
export async function registerDid(
  tx: Writer,
  tenantId: string,
  { at, ...registration }: Pick<InboxDidRow, 'inboxId' | 'did' | 'provenAt'> & { at: Date },
): Promise<boolean> {
  const row = { id: newId(), tenantId, ...registration, createdAt: at }
  const rows = await tx.insert(inboxDids).values(row).onConflictDoNothing().returning({ id: inboxDids.id })
  return rows.length === 1
}

export function listInboxDids(
  db: Reader,
  tenantId: string,
  inboxId: string,
  page: PageRequest,
): Promise<InboxDidRow[]> {
  return listPage(db, inboxDids, tenantId, page, eq(inboxDids.inboxId, inboxId))
}

/** Returns false if the inbox does not have the DID. */
export async function unregisterDid(tx: Writer, tenantId: string, inboxId: string, did: string): Promise<boolean> {
  const rows = await tx
    .delete(inboxDids)
    .where(and(eq(inboxDids.tenantId, tenantId), eq(inboxDids.inboxId, inboxId), eq(inboxDids.did, did)))
    .returning({ id: inboxDids.id })
  return rows.length === 1
}

/** Unregisters a DID that the tenant no longer has, from any inbox. */
export async function unregisterDidOf(tx: Writer, tenantId: string, did: string): Promise<void> {
  await tx.delete(inboxDids).where(and(eq(inboxDids.tenantId, tenantId), eq(inboxDids.did, did)))
}

/** Limits the copies of one message, because a DID can be registered with many tenants. More than one is rare. */
const maxInboxes = 20

/** Returns the inboxes of all tenants that accept messages of the sender to a DID, in lock order (hold.ts). */
export async function findInboxesFor(
  db: Reader,
  senderId: string,
  did: string,
): Promise<{ tenantId: string; inboxId: string }[]> {
  const rows = await db
    .select({ tenantId: inboxDids.tenantId, inboxId: inboxDids.inboxId })
    .from(inboxDids)
    .where(and(eq(inboxDids.did, did), or(isNotNull(inboxDids.provenAt), eq(inboxDids.tenantId, senderId))))
    .orderBy(asc(inboxDids.createdAt))
    .limit(maxInboxes)
  return rows.sort((a, b) => (a.inboxId < b.inboxId ? -1 : 1))
}

export interface UnprovenDid {
  tenantId: string
  /** The id of the registration. */
  id: string
  document: DidRow['document']
}

/**
 * Returns unproven registrations of a did:web, of all tenants. Each has effect only in its tenant until the domain
 * publishes its document.
 */
export async function findUnproven(db: Reader, did: string): Promise<UnprovenDid[]> {
  const rows = await db
    .select({ tenantId: inboxDids.tenantId, id: inboxDids.id })
    .from(inboxDids)
    .where(and(eq(inboxDids.did, did), isNull(inboxDids.provenAt)))
    .limit(maxInboxes)
  return Promise.all(
    rows.map(async ({ tenantId, id }) => {
      const made = await findDid(db, tenantId, did)
      return { tenantId, id, document: made?.document ?? null }
    }),
  )
}

/** Makes a registration effective for messages of all tenants. */
export async function proveRegistration(tx: Writer, tenantId: string, id: string, at: Date): Promise<void> {
  await tx
    .update(inboxDids)
    .set({ provenAt: at })
    .where(and(inRow(inboxDids.tenantId, tenantId), eq(inboxDids.id, id)))
}
