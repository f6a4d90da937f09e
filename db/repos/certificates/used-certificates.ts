import { and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { CertificateKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader } from '../../client.ts'
import { alias } from '../../columns.ts'
import { certificates } from '../../tables/certificates/certificates.ts'

const authorities = alias(certificates, 'authorities')

/** One that is in use, as far as its end is concerned. */
export type UsedCertificate = Awaited<ReturnType<typeof findUsedCertificates>>[number]

/**
 * The certificates of these kinds that are active, and neither revoked nor replaced, over or not, with those that end last first.
 * There are few: a tenant may have five of a kind beside those that are over.
 */
export async function findUsedCertificates(db: Reader, tenantId: string, kinds: CertificateKind[], most: number) {
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
    .limit(most)
  return rows.flatMap(({ notAfter, ...row }) => (notAfter ? [{ ...row, notAfter }] : []))
}
