import { index, table, text, timestamp } from '../../columns.ts'

/** People who were sent to the provider, and are to come back from there: each row is taken away by who comes back first. */
export const consoleSignIns = table(
  'console_sign_ins',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    stateHash: text('state_hash').notNull(),
    /** Of the secret in the cookie of the browser that began. */
    browserHash: text('browser_hash').notNull(),
    /** Sealed: what the provider was asked, and by which settings. */
    sealedRequest: text('sealed_request').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('console_sign_ins_tenant').on(columns.tenantId),
    index('console_sign_ins_expiry').on(columns.expiresAt),
  ],
)
