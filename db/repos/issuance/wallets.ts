import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { oauthClients } from '../../tables/issuance/wallets.ts'
import { listPage } from '../list-page.ts'

export type OAuthClientRow = typeof oauthClients.$inferSelect
export type OAuthClientContent = Pick<OAuthClientRow, 'name' | 'redirectUris' | 'attestation' | 'dpopRequired'>

/** Returns undefined if the client id is taken. */
export async function insertOAuthClient(tx: Writer, row: OAuthClientRow): Promise<OAuthClientRow | undefined> {
  const [inserted] = await tx.insert(oauthClients).values(row).onConflictDoNothing().returning()
  return inserted
}

export function findOAuthClient(db: Reader, tenantId: string, id: string): Promise<OAuthClientRow | undefined> {
  return findRow(db, oauthClients, tenantId, id)
}

/** Finds a client by the `client_id` that the wallet sends. */
export async function findOAuthClientByClientId(
  db: Reader,
  tenantId: string,
  clientId: string,
): Promise<OAuthClientRow | undefined> {
  const [row] = await db
    .select()
    .from(oauthClients)
    .where(and(eq(oauthClients.tenantId, tenantId), eq(oauthClients.clientId, clientId)))
  return row
}

/** Returns true if a wallet's DPoP proof must use the attested key. */
export function isDpopPossessionRequired(db: Reader, tenantId: string): Promise<boolean> {
  return hasRules(db, tenantId, '"dpopRequired":true')
}

/** Returns true if a wallet has root certificates for its attestations. */
export function hasAttestedWallet(db: Reader, tenantId: string): Promise<boolean> {
  return hasRules(db, tenantId, '"rootCertificates":["')
}

/** Matches the stored text of the attestation rules, because the certificates in it are long. */
async function hasRules(db: Reader, tenantId: string, text: string): Promise<boolean> {
  const rows = await db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(and(eq(oauthClients.tenantId, tenantId), sql`cast(${oauthClients.attestation} as text) like ${`%${text}%`}`))
    .limit(1)
  return rows.length > 0
}

export function listOAuthClients(db: Reader, tenantId: string, page: PageRequest): Promise<OAuthClientRow[]> {
  return listPage(db, oauthClients, tenantId, page)
}

export async function updateOAuthClient(
  tx: Writer,
  tenantId: string,
  id: string,
  content: OAuthClientContent,
): Promise<OAuthClientRow | undefined> {
  const [row] = await tx.update(oauthClients).set(content).where(byId(tenantId, id)).returning()
  return row
}

export async function deleteOAuthClient(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.delete(oauthClients).where(byId(tenantId, id)).returning({ id: oauthClients.id })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(oauthClients.tenantId, tenantId), eq(oauthClients.id, id))
}
