import { index, table, text, timestamp } from '../../columns.ts'

/** Wallets that receive requests of a verifier at an address of their own. */
export const verifierWalletProviders = table(
  'verifier_wallet_providers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    /** An `https:` address or a scheme, such as `haip-vp://`. */
    authorizationEndpoint: text('authorization_endpoint').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('verifier_wallet_providers_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
