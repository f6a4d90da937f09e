import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { trustedIssuers } from '../../tables/certificates/trusted-issuers.ts'
import { listPage } from '../list-page.ts'

export type TrustedIssuerRow = typeof trustedIssuers.$inferSelect

/** Returns false if the tenant already has the certificate. */
export async function insertTrustedIssuer(tx: Writer, row: TrustedIssuerRow): Promise<boolean> {
  const rows = await tx.insert(trustedIssuers).values(row).onConflictDoNothing().returning({ id: trustedIssuers.id })
  return rows.length === 1
}

export function findTrustedIssuer(db: Reader, tenantId: string, id: string): Promise<TrustedIssuerRow | undefined> {
  return findRow(db, trustedIssuers, tenantId, id)
}

export function listTrustedIssuers(db: Reader, tenantId: string, page: PageRequest): Promise<TrustedIssuerRow[]> {
  return listPage(db, trustedIssuers, tenantId, page)
}

export async function deleteTrustedIssuer(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.delete(trustedIssuers).where(byId(tenantId, id)).returning({ id: trustedIssuers.id })
  return rows.length === 1
}

function byId(tenantId: string, id: string) {
  return and(eq(trustedIssuers.tenantId, tenantId), eq(trustedIssuers.id, id))
}
