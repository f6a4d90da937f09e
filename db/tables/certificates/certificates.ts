import { sql } from 'drizzle-orm'
import type { CertificateSubject } from '../../../shared/formats/x509/name.ts'
import type { CertificateKind } from '../../../shared/formats/x509/profiles.ts'
import { boolean, bytes, index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * The certificates of a tenant's own hierarchies: authorities and signers. A row exists before its content. The signing
 * process then creates the key and the certificate, or the key and the request. The keys are in `keys`, with the owner
 * kind `certificate`.
 */
export const certificates = table(
  'certificates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    kind: text('kind').$type<CertificateKind>().notNull(),
    /** The row of the authority. Null for an authority. */
    caId: text('ca_id'),
    /** Whether the service has the key of the authority, or of the authority of a signer. */
    isManaged: boolean('is_managed').notNull(),
    /** `service` if an issuance or a renewal required it. */
    madeBy: text('made_by').$type<'operator' | 'service'>().notNull(),
    isActive: boolean('is_active').notNull(),
    /** PEM. Only for a signer whose authority is not managed. */
    csr: text('csr'),
    /** DER. */
    certificate: bytes('certificate'),
    /** DER. Only for a signer: the authority between the signer and the authority of `caId`, if there is one. */
    intermediate: bytes('intermediate'),
    /** Hexadecimal. */
    serialNumber: text('serial_number'),
    /** SHA-256 of the DER, hexadecimal. */
    fingerprint: text('fingerprint'),
    /** The requested validity, until there is a certificate. */
    notBefore: timestamp('not_before'),
    notAfter: timestamp('not_after'),
    subject: json<CertificateSubject>('subject').notNull(),
    revokedAt: timestamp('revoked_at'),
    /** When another certificate replaced it. What it signed stays valid. */
    retiredAt: timestamp('retired_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('certificates_serial_number').on(columns.tenantId, columns.caId, columns.serialNumber),
    index('certificates_page').on(columns.tenantId, columns.kind, columns.createdAt, columns.id),
    index('certificates_serial').on(columns.tenantId, columns.serialNumber),
    index('certificates_ca').on(columns.tenantId, columns.caId, columns.kind),
    index('certificates_end').on(columns.kind, columns.notAfter),
    index('certificates_unmade')
      .on(columns.createdAt)
      .where(sql`${columns.certificate} is null and ${columns.csr} is null`),
  ],
)
