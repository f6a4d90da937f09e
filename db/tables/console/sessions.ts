import { index, table, text, timestamp } from '../../columns.ts'

/** Management clients that are signed in at the console in a browser, which holds a cookie and no token. */
export const consoleSessions = table(
  'console_sessions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    clientId: text('client_id').notNull(),
    /** Of the cookie's secret. */
    secretHash: text('secret_hash').notNull(),
    /** Of the client's secret that it was begun with: it is good as long as that is. */
    clientSecretHash: text('client_secret_hash').notNull(),
    /** Written once a minute at most. */
    lastUsedAt: timestamp('last_used_at').notNull(),
    /** However much it is used. */
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('console_sessions_client').on(columns.tenantId, columns.clientId, columns.createdAt),
    index('console_sessions_expiry').on(columns.expiresAt),
  ],
)
