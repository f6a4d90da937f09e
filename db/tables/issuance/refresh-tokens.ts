import { index, table, text, timestamp } from '../../columns.ts'

/** Refresh tokens, as hashes. Each is bound to a key. */
export const refreshTokens = table(
  'refresh_tokens',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The authorization of the token family. The column has an older name. */
    authorizationId: text('grant_id').notNull(),
    userId: text('user_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    dpopJkt: text('dpop_jkt').notNull(),
    /** When an earlier version rotated the token. It cannot be used anymore. */
    spentAt: timestamp('spent_at'),
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('refresh_tokens_grant').on(columns.tenantId, columns.authorizationId),
    index('refresh_tokens_user').on(columns.tenantId, columns.userId),
    index('refresh_tokens_expiry').on(columns.expiresAt),
  ],
)
