import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared, preparedInsert } from '../../engine/prepared.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { authorizationServers } from '../../tables/issuance/authorization-servers.ts'
import { listPage } from '../list-page.ts'

export type AuthorizationServerRow = typeof authorizationServers.$inferSelect
type Content = Omit<AuthorizationServerRow, 'tenantId' | 'id' | 'createdAt'>

/** Inserts authorization servers. A unique violation fails the transaction if the tenant has one with the same issuer. */
export const insertAuthorizationServers = preparedInsert('insert_authorization_servers', authorizationServers)

export function findAuthorizationServer(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<AuthorizationServerRow | undefined> {
  return findRow(db, authorizationServers, tenantId, id)
}

export function listAuthorizationServers(
  db: Reader,
  tenantId: string,
  page: PageRequest,
): Promise<AuthorizationServerRow[]> {
  return listPage(db, authorizationServers, tenantId, page)
}

const all = prepared('authorization_servers', (db) =>
  db
    .select()
    .from(authorizationServers)
    .where(eq(authorizationServers.tenantId, param('tenantId')))
    .orderBy(authorizationServers.createdAt, authorizationServers.id),
)

/** Returns all authorization servers of the tenant, oldest first. A tenant has at most five. */
export function findAuthorizationServers(db: Reader, tenantId: string): Promise<AuthorizationServerRow[]> {
  return all(db, { tenantId })
}

export async function updateAuthorizationServer(
  tx: Writer,
  tenantId: string,
  id: string,
  content: Content,
): Promise<AuthorizationServerRow | undefined> {
  const [row] = await tx.update(authorizationServers).set(content).where(byId(tenantId, id)).returning()
  return row
}

export async function deleteAuthorizationServer(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(authorizationServers)
    .where(byId(tenantId, id))
    .returning({ id: authorizationServers.id })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(authorizationServers.tenantId, tenantId), eq(authorizationServers.id, id))
}
