import { sql } from 'drizzle-orm'
import type { AccessSubject } from '../../../shared/formats/x509/access-subject.ts'
import { boolean, index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * Access certificates of the tenant as a provider of attestations (ETSI TS 119 411-8). Its issuer metadata are signed with the active one.
 * The keys are in `keys`, with the owner kind `access-certificate`.
 */
export const accessCertificates = table(
  'access_certificates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The requested subject. */
    subject: json<AccessSubject>('subject').notNull(),
    /** PEM. */
    csr: text('csr').notNull(),
    /** The certificate and the authorities between it and its trust anchor, in base64 of their DER. Null until the operator sends it. */
    chain: json<string[]>('chain'),
    /** The subject of the certificate that the authority issued. */
    certified: json<Partial<AccessSubject>>('certified'),
    /** SHA-256 of the certificate, hexadecimal. */
    fingerprint: text('fingerprint'),
    notBefore: timestamp('not_before'),
    notAfter: timestamp('not_after'),
    isActive: boolean('is_active').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('access_certificates_page').on(columns.tenantId, columns.createdAt, columns.id),
    uniqueIndex('access_certificates_active').on(columns.tenantId).where(sql`${columns.isActive}`),
    index('access_certificates_end').on(columns.notAfter),
  ],
)
