import { index, table, text, timestamp } from '../../columns.ts'

/** Links that sign a management client in to the console once. A command on the machine of the service prints them. */
export const consoleLinks = table(
  'console_links',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    clientId: text('client_id').notNull(),
    /** The hash of the secret in the link. */
    secretHash: text('secret_hash').notNull(),
    /**
     * The hash of the secret that the client had when the link was created. The link is valid while the client has this secret.
     */
    clientSecretHash: text('client_secret_hash').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    index('console_links_tenant').on(columns.tenantId),
    index('console_links_expiry').on(columns.expiresAt),
  ],
)
