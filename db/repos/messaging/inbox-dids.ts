import { and, asc, eq, isNotNull, isNull, or } from 'drizzle-orm'
import { newId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import type { Cursor } from '../../page.ts'
import { inboxDids } from '../../tables/messaging/inbox-dids.ts'
import { type DidRow, findDid } from '../identifiers/dids.ts'
import { listPage } from '../list-page.ts'

export type InboxDidRow = typeof inboxDids.$inferSelect

/** False when an inbox of the tenant has the DID already. */
export async function registerDid(
  tx: Writer,
  tenantId: string,
  { at, ...registration }: Pick<InboxDidRow, 'inboxId' | 'did' | 'provenAt'> & { at: Date },
): Promise<boolean> {
  const row = { id: newId(), tenantId, ...registration, createdAt: at }
  const rows = await tx.insert(inboxDids).values(row).onConflictDoNothing().returning({ id: inboxDids.id })
  return rows.length === 1
}

export async function listInboxDids(
  db: Reader,
  tenantId: string,
  inboxId: string,
  limit: number,
  cursor?: Cursor,
): Promise<InboxDidRow[]> {
  return listPage(db, inboxDids, tenantId, { limit, cursor }, eq(inboxDids.inboxId, inboxId))
}

/** False when the inbox does not have it. */
export async function unregisterDid(tx: Writer, tenantId: string, inboxId: string, did: string): Promise<boolean> {
  const rows = await tx
    .delete(inboxDids)
    .where(and(eq(inboxDids.tenantId, tenantId), eq(inboxDids.inboxId, inboxId), eq(inboxDids.did, did)))
    .returning({ id: inboxDids.id })
  return rows.length === 1
}

/** A DID that the tenant has no more, in whatever inbox it is. */
export async function unregisterDidOf(tx: Writer, tenantId: string, did: string): Promise<void> {
  await tx.delete(inboxDids).where(and(eq(inboxDids.tenantId, tenantId), eq(inboxDids.did, did)))
}

/** More than one is rare; whoever has a DID registered with very many tenants does not make one message thousands. */
const mostInboxes = 20

/** The inboxes of all tenants that take the messages of a tenant to a DID, in the order in which they are held (hold.ts). */
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
    .limit(mostInboxes)
  return rows.sort((a, b) => (a.inboxId < b.inboxId ? -1 : 1))
}

export interface UnprovenDid {
  tenantId: string
  /** Of the registration. */
  id: string
  document: DidRow['document']
}

/** Registrations of a did:web, of whatever tenants, that count for nobody else as long as its domain does not publish what they have. */
export async function findUnproven(db: Reader, did: string): Promise<UnprovenDid[]> {
  const rows = await db
    .select({ tenantId: inboxDids.tenantId, id: inboxDids.id })
    .from(inboxDids)
    .where(and(eq(inboxDids.did, did), isNull(inboxDids.provenAt)))
    .limit(mostInboxes)
  return Promise.all(
    rows.map(async ({ tenantId, id }) => {
      const made = await findDid(db, tenantId, did)
      return { tenantId, id, document: made?.document ?? null }
    }),
  )
}

/** From now on a registration counts for everybody. */
export async function proveRegistration(tx: Writer, tenantId: string, id: string, at: Date): Promise<void> {
  await tx
    .update(inboxDids)
    .set({ provenAt: at })
    .where(and(inRow(inboxDids.tenantId, tenantId), eq(inboxDids.id, id)))
}
