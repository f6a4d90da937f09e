import { and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { CertificateKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader } from '../../client.ts'
import { alias } from '../../columns.ts'
import { certificates } from '../../tables/certificates/certificates.ts'

const authorities = alias(certificates, 'authorities')

/** A certificate in use, with the data about its expiry. */
export type UsedCertificate = Awaited<ReturnType<typeof findUsedCertificates>>[number]

/**
 * Returns the active certificates of these kinds that are not revoked or replaced, expired or not. Those that expire
 * last come first. They are few: a tenant can have five unexpired certificates of a kind.
 */
export async function findUsedCertificates(db: Reader, tenantId: string, kinds: CertificateKind[], limit: number) {
  const rows = await db
    .select({
      id: certificates.id,
      kind: certificates.kind,
      caId: certificates.caId,
      isManaged: certificates.isManaged,
      notAfter: certificates.notAfter,
      authority: { notAfter: authorities.notAfter, isActive: authorities.isActive },
    })
    .from(certificates)
    .leftJoin(authorities, and(eq(authorities.tenantId, certificates.tenantId), eq(authorities.id, certificates.caId)))
    .where(
      and(
        eq(certificates.tenantId, tenantId),
        inArray(certificates.kind, kinds),
        eq(certificates.isActive, true),
        isNull(certificates.revokedAt),
        isNull(certificates.retiredAt),
        isNotNull(certificates.certificate),
      ),
    )
    .orderBy(desc(certificates.notAfter), certificates.id)
    .limit(limit)
  return rows.flatMap(({ notAfter, ...row }) => (notAfter ? [{ ...row, notAfter }] : []))
}
