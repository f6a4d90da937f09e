import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { accessCertificates } from '../../tables/issuance/access-certificates.ts'
import { listPage } from '../list-page.ts'

export type AccessCertificateRow = typeof accessCertificates.$inferSelect

/** The content that the authority's certificate adds to a row. */
export type CertifiedContent = {
  [Member in 'chain' | 'certified' | 'fingerprint' | 'notBefore' | 'notAfter']: NonNullable<
    AccessCertificateRow[Member]
  >
}

export type CompleteAccessCertificate = AccessCertificateRow & CertifiedContent

/** Returns whether the operator has sent the certificate. */
export function isCertified(row: AccessCertificateRow): row is CompleteAccessCertificate {
  return row.chain !== null
}

/** Does nothing if the row exists. */
export async function insertAccessCertificate(tx: Writer, row: AccessCertificateRow): Promise<void> {
  await tx.insert(accessCertificates).values(row).onConflictDoNothing()
}

export function findAccessCertificate(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<AccessCertificateRow | undefined> {
  return findRow(db, accessCertificates, tenantId, id)
}

export function listAccessCertificates(
  db: Reader,
  tenantId: string,
  page: PageRequest,
): Promise<AccessCertificateRow[]> {
  return listPage(db, accessCertificates, tenantId, page)
}

export function countAccessCertificates(tx: Writer, tenantId: string): Promise<number> {
  return tx.$count(accessCertificates, eq(accessCertificates.tenantId, tenantId))
}

const activeOf = prepared('active_access_certificate', (db) =>
  db
    .select()
    .from(accessCertificates)
    .where(and(eq(accessCertificates.tenantId, param('tenantId')), sql`${accessCertificates.isActive}`)),
)

/** Returns the certificate that signs the issuer metadata of the tenant. It can have expired. */
export async function findActiveAccessCertificate(
  db: Reader,
  tenantId: string,
): Promise<CompleteAccessCertificate | undefined> {
  const [row] = await activeOf(db, { tenantId })
  return row && isCertified(row) ? row : undefined
}

/** Makes all access certificates of the tenant inactive. */
export async function deactivateAccessCertificates(tx: Writer, tenantId: string): Promise<void> {
  await tx
    .update(accessCertificates)
    .set({ isActive: false })
    .where(and(eq(accessCertificates.tenantId, tenantId), sql`${accessCertificates.isActive}`))
}

export async function updateAccessCertificate(
  tx: Writer,
  { tenantId, id }: Pick<AccessCertificateRow, 'tenantId' | 'id'>,
  content: Partial<CertifiedContent> & Pick<AccessCertificateRow, 'isActive'>,
): Promise<AccessCertificateRow | undefined> {
  const [row] = await tx.update(accessCertificates).set(content).where(byId(tenantId, id)).returning()
  return row
}

/** Returns the deleted row. */
export async function deleteAccessCertificate(
  tx: Writer,
  tenantId: string,
  id: string,
): Promise<AccessCertificateRow | undefined> {
  const [row] = await tx.delete(accessCertificates).where(byId(tenantId, id)).returning()
  return row
}

function byId(tenantId: string, id: string) {
  return and(inRow(accessCertificates.tenantId, tenantId), eq(accessCertificates.id, id))
}
