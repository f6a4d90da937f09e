import { and, asc, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { crls, revokedCertificates } from '../../tables/certificates/crls.ts'

export type CrlRow = typeof crls.$inferSelect

export async function findCrl(db: Reader, tenantId: string, caId: string): Promise<CrlRow | undefined> {
  const [row] = await db
    .select()
    .from(crls)
    .where(and(eq(crls.tenantId, tenantId), eq(crls.caId, caId)))
  return row
}

export async function insertCrl(tx: Writer, row: CrlRow): Promise<void> {
  await tx.insert(crls).values(row)
}

/** Replaces the CRL by the next one; false when it is not the one before that. */
export async function replaceCrl(tx: Writer, { tenantId, caId, number, ...content }: CrlRow): Promise<boolean> {
  const rows = await tx
    .update(crls)
    .set({ number, ...content })
    .where(and(eq(crls.tenantId, tenantId), eq(crls.caId, caId), eq(crls.number, number - 1)))
    .returning({ caId: crls.caId })
  return rows.length === 1
}

export async function findRevoked(db: Reader, tenantId: string, caId: string) {
  return db
    .select()
    .from(revokedCertificates)
    .where(and(eq(revokedCertificates.tenantId, tenantId), eq(revokedCertificates.caId, caId)))
    .orderBy(asc(revokedCertificates.revokedAt), asc(revokedCertificates.serialNumber))
}
