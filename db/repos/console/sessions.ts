import { and, desc, eq, gt, inArray, isNotNull, lt, type SQL } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { consoleSessions } from '../../tables/console/sessions.ts'
import { clients } from '../../tables/tenancy/clients.ts'
import type { ClientRow } from '../tenancy/clients.ts'

export type ConsoleSessionRow = typeof consoleSessions.$inferSelect

/** The client or the person whose session it is. */
export type SessionOwner = { clientId: string } | { managementUserId: string }

/** Matches the sessions of a client or a person. */
export function isSessionOf(owner: SessionOwner): SQL {
  if ('clientId' in owner) return eq(consoleSessions.clientId, owner.clientId)
  return eq(consoleSessions.managementUserId, owner.managementUserId)
}

export async function insertConsoleSession(tx: Writer, row: ConsoleSessionRow): Promise<void> {
  await tx.insert(consoleSessions).values(row)
}

/** Returns a session with the current row of its client. The client is null for a person, or if it was deleted. */
export async function findConsoleSession(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<{ session: ConsoleSessionRow; client: ClientRow | null } | undefined> {
  const [row] = await db
    .select({ session: consoleSessions, client: clients })
    .from(consoleSessions)
    .leftJoin(clients, and(eq(clients.id, consoleSessions.clientId), inRow(clients.tenantId, consoleSessions.tenantId)))
    .where(byId(tenantId, id))
  return row
}

/**
 * Returns the newest session of a person. Returns undefined if each session was ended or has reached its maximum lifetime. An idle session
 * counts: the person has not left.
 */
export async function findNewestSessionOf(
  db: Reader,
  tenantId: string,
  managementUserId: string,
  at: Date,
): Promise<Pick<ConsoleSessionRow, 'id' | 'roles'> | undefined> {
  const { createdAt, expiresAt, id, roles } = consoleSessions
  const ofPerson = isSessionOf({ managementUserId })
  const [row] = await db
    .select({ id, roles })
    .from(consoleSessions)
    .where(and(eq(consoleSessions.tenantId, tenantId), ofPerson, gt(expiresAt, at)))
    .orderBy(desc(createdAt), desc(id))
    .limit(1)
  return row
}

/** Records a use of the session. An earlier request that commits later changes nothing. */
export async function markConsoleSessionUsed(tx: Writer, tenantId: string, id: string, at: Date): Promise<void> {
  await tx
    .update(consoleSessions)
    .set({ lastUsedAt: at })
    .where(and(byId(tenantId, id), lt(consoleSessions.lastUsedAt, at)))
}

/** Deletes a session and returns it. Returns undefined if it does not exist, or if it belongs to another owner. */
export async function deleteConsoleSession(
  tx: Writer,
  tenantId: string,
  id: string,
  owner?: SessionOwner,
): Promise<ConsoleSessionRow | undefined> {
  const [row] = await tx
    .delete(consoleSessions)
    .where(and(byId(tenantId, id), owner && isSessionOf(owner)))
    .returning()
  return row
}

/** Deletes all sessions of a client or a person except the newest. */
export async function deleteOldConsoleSessions(
  tx: Writer,
  tenantId: string,
  owner: SessionOwner,
  kept: number,
): Promise<void> {
  const newestFirst = await tx
    .select({ id: consoleSessions.id })
    .from(consoleSessions)
    .where(and(eq(consoleSessions.tenantId, tenantId), isSessionOf(owner)))
    .orderBy(desc(consoleSessions.createdAt), desc(consoleSessions.id))
  const old = newestFirst.slice(kept).map(({ id }) => id)
  if (old.length === 0) return
  await tx.delete(consoleSessions).where(and(eq(consoleSessions.tenantId, tenantId), inArray(consoleSessions.id, old)))
}

/** Deletes the sessions of all people, after a change of the provider settings. */
export async function deleteConsoleSessionsOfPeople(tx: Writer, tenantId: string): Promise<void> {
  await tx
    .delete(consoleSessions)
    .where(and(eq(consoleSessions.tenantId, tenantId), isNotNull(consoleSessions.managementUserId)))
}

function byId(tenantId: string, id: string) {
  return and(inRow(consoleSessions.tenantId, tenantId), eq(consoleSessions.id, id))
}
