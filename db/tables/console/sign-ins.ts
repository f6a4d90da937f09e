import { index, table, text, timestamp } from '../../columns.ts'

/** Sign-ins that wait for the return from the provider. The first return deletes the row. */
export const consoleSignIns = table(
  'console_sign_ins',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    stateHash: text('state_hash').notNull(),
    /** The hash of the secret in the cookie of the browser that started the sign-in. */
    browserHash: text('browser_hash').notNull(),
    /** Sealed: the request to the provider, and the provider settings at that time. */
    sealedRequest: text('sealed_request').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('console_sign_ins_tenant').on(columns.tenantId),
    index('console_sign_ins_expiry').on(columns.expiresAt),
  ],
)
