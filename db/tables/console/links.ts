import { index, table, text, timestamp } from '../../columns.ts'

/** What signs a management client in at the console once: links that the service itself printed, on the machine that it runs on. */
export const consoleLinks = table(
  'console_links',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    clientId: text('client_id').notNull(),
    /** Of the secret in the link. */
    secretHash: text('secret_hash').notNull(),
    /** Of the client's secret when the link was made: it is good as long as that is. */
    clientSecretHash: text('client_secret_hash').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    index('console_links_tenant').on(columns.tenantId),
    index('console_links_expiry').on(columns.expiresAt),
  ],
)
