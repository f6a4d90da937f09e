import { sql } from 'drizzle-orm'
import type { CertificateSubject } from '../../../shared/formats/x509/name.ts'
import type { CertificateKind } from '../../../shared/formats/x509/profiles.ts'
import { boolean, bytes, index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * The certificates of a tenant's own hierarchies: authorities, and who signs under them. A row is there before its content:
 * the signing process makes key and certificate, or key and request. Their keys are those of the owner `certificate`.
 */
export const certificates = table(
  'certificates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    kind: text('kind').$type<CertificateKind>().notNull(),
    /** The authority's row; null for an authority. */
    caId: text('ca_id'),
    /** Of an authority: its key is here. Of a signer: that of its authority is; its own always is. */
    isManaged: boolean('is_managed').notNull(),
    /** `service` where issuance or a renewal needed it. */
    madeBy: text('made_by').$type<'operator' | 'service'>().notNull(),
    isActive: boolean('is_active').notNull(),
    /** PEM, of a signer whose authority is not managed. */
    csr: text('csr'),
    /** DER. */
    certificate: bytes('certificate'),
    /** DER, of a signer: the authority that has certified it, where there is one between it and that of `caId`. */
    intermediate: bytes('intermediate'),
    /** Hexadecimal. */
    serialNumber: text('serial_number'),
    /** SHA-256 of the DER, hexadecimal. */
    fingerprint: text('fingerprint'),
    /** What was asked for, until there is a certificate. */
    notBefore: timestamp('not_before'),
    notAfter: timestamp('not_after'),
    subject: json<CertificateSubject>('subject').notNull(),
    revokedAt: timestamp('revoked_at'),
    /** When another one took over; what it signed stays valid. */
    retiredAt: timestamp('retired_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('certificates_serial_number').on(columns.tenantId, columns.caId, columns.serialNumber),
    index('certificates_page').on(columns.tenantId, columns.kind, columns.createdAt, columns.id),
    index('certificates_ca').on(columns.tenantId, columns.caId, columns.kind),
    index('certificates_end').on(columns.kind, columns.notAfter),
    index('certificates_unmade')
      .on(columns.createdAt)
      .where(sql`${columns.certificate} is null and ${columns.csr} is null`),
  ],
)
