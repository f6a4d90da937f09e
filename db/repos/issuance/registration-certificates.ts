import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { registrationCertificates } from '../../tables/issuance/registration-certificates.ts'

export type RegistrationCertificateRow = typeof registrationCertificates.$inferSelect

export async function findRegistrationCertificate(
  db: Reader,
  tenantId: string,
): Promise<RegistrationCertificateRow | undefined> {
  const [row] = await db.select().from(registrationCertificates).where(eq(registrationCertificates.tenantId, tenantId))
  return row
}

/** Stores the registration certificate of a tenant. It replaces an earlier one. */
export async function saveRegistrationCertificate(tx: Writer, row: RegistrationCertificateRow): Promise<void> {
  const { tenantId: _, ...content } = row
  await tx
    .insert(registrationCertificates)
    .values(row)
    .onConflictDoUpdate({ target: registrationCertificates.tenantId, set: content })
}

/** Returns false if the tenant has none. */
export async function deleteRegistrationCertificate(tx: Writer, tenantId: string): Promise<boolean> {
  const rows = await tx
    .delete(registrationCertificates)
    .where(eq(registrationCertificates.tenantId, tenantId))
    .returning({ tenantId: registrationCertificates.tenantId })
  return rows.length === 1
}
