import { and, eq, getTableColumns, gt, or, type SQL } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { directions, type PageRequest, type SortOrder } from '../../page.ts'
import { consoleSessions } from '../../tables/console/sessions.ts'
import { clients } from '../../tables/tenancy/clients.ts'
import { type ConsoleSessionRow, isSessionOf, type SessionOwner } from './sessions.ts'

/** A session, and the current name and roles of its client. Both are null for a person. */
export type ListedConsoleSession = ConsoleSessionRow & { clientName: string | null; clientRoles: string[] | null }

interface SessionFilter {
  /** Only sessions of all of these clients and people. */
  owners: readonly SessionOwner[]
  at: Date
  /** Sessions without a use after this time have ended. */
  usedAfter: Date
  /** The hash of the settings of the provider. Sessions of people with another hash have ended. */
  providerHash: string | undefined
}

/**
 * Returns a page of the sessions that authenticate a request at this time, and one additional row if there are more.
 */
export async function listConsoleSessions(
  db: Reader,
  tenantId: string,
  { limit, cursor, order = 'oldest', ...filter }: PageRequest & { order?: SortOrder } & SessionFilter,
): Promise<ListedConsoleSession[]> {
  const { behind, by } = directions[order]
  const { createdAt, id } = consoleSessions
  return db
    .select({ ...getTableColumns(consoleSessions), clientName: clients.name, clientRoles: clients.roles })
    .from(consoleSessions)
    .leftJoin(clients, and(eq(clients.id, consoleSessions.clientId), inRow(clients.tenantId, consoleSessions.tenantId)))
    .where(and(eq(consoleSessions.tenantId, tenantId), isActive(filter), behind(createdAt, id, cursor)))
    .orderBy(by(createdAt), by(id))
    .limit(limit + 1)
}

function isActive({ owners, at, usedAfter, providerHash }: SessionFilter): SQL | undefined {
  const { clientSecretHash, expiresAt, lastUsedAt } = consoleSessions
  return and(
    gt(expiresAt, at),
    gt(lastUsedAt, usedAfter),
    ...owners.map(isSessionOf),
    or(
      eq(clients.secretHash, clientSecretHash),
      and(eq(clients.formerSecretHash, clientSecretHash), gt(clients.formerSecretUntil, at)),
      providerHash === undefined ? undefined : eq(consoleSessions.providerHash, providerHash),
    ),
  )
}

/**
 * Deletes all sessions of a client or a person, of which there are few (`beginConsoleSession`). Returns their number. A program that
 * exchanges its code at the same time holds the session that allowed it: the delete waits for that transaction, and its repeat finds the
 * session of the program.
 */
export async function deleteConsoleSessionsOf(tx: Writer, tenantId: string, owner: SessionOwner): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await tx
      .delete(consoleSessions)
      .where(and(eq(consoleSessions.tenantId, tenantId), isSessionOf(owner)))
      .returning({ id: consoleSessions.id })
    if (rows.length === 0) return deleted
    deleted += rows.length
  }
}
