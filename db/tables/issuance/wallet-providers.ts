import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** Authorities of wallet providers. The tenant admits each wallet with an attestation under one of them. */
export const walletProviders = table(
  'wallet_providers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The certificate as the operator sent it. */
    certificatePem: text('certificate_pem').notNull(),
    /** SHA-256 of the certificate, hex. */
    fingerprint: text('fingerprint').notNull(),
    notBefore: timestamp('not_before').notNull(),
    notAfter: timestamp('not_after').notNull(),
    /** The country of the subject. Null if the subject has none. */
    country: text('country'),
    commonName: text('common_name'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('wallet_providers_certificate').on(columns.tenantId, columns.fingerprint),
    index('wallet_providers_page').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
