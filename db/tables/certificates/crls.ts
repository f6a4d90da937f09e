import { bytes, index, integer, primaryKey, table, text, timestamp } from '../../columns.ts'

/** The newest CRL of each managed authority. */
export const crls = table(
  'crls',
  {
    caId: text('ca_id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** CRLNumber. Increases by one with each CRL. */
    number: integer('number').notNull(),
    /** DER. */
    content: bytes('content').notNull(),
    thisUpdate: timestamp('this_update').notNull(),
    nextUpdate: timestamp('next_update').notNull(),
  },
  (columns) => [index('crls_tenant').on(columns.tenantId), index('crls_age').on(columns.thisUpdate)],
)

/** The entries of the CRLs. They stay on the CRL after the row of the certificate is deleted. */
export const revokedCertificates = table(
  'revoked_certificates',
  {
    caId: text('ca_id').notNull(),
    serialNumber: text('serial_number').notNull(),
    tenantId: text('tenant_id').notNull(),
    revokedAt: timestamp('revoked_at').notNull(),
    /** When a CRL contained it first. */
    publishedAt: timestamp('published_at'),
  },
  (columns) => [
    primaryKey({ columns: [columns.caId, columns.serialNumber] }),
    index('revoked_certificates_tenant').on(columns.tenantId),
    index('revoked_certificates_published').on(columns.publishedAt, columns.caId),
  ],
)
