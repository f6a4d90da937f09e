import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** Authorities under which the providers of wallets attest: the tenant admits every wallet that is attested under one. */
export const walletProviders = table(
  'wallet_providers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** As it was sent. */
    certificatePem: text('certificate_pem').notNull(),
    /** SHA-256 of the certificate, hex. */
    fingerprint: text('fingerprint').notNull(),
    notBefore: timestamp('not_before').notNull(),
    notAfter: timestamp('not_after').notNull(),
    /** Of its subject; null where that does not say. */
    country: text('country'),
    commonName: text('common_name'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('wallet_providers_certificate').on(columns.tenantId, columns.fingerprint),
    index('wallet_providers_page').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
