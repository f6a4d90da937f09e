import { isNotNull } from 'drizzle-orm'
import { index, json, table, text, timestamp } from '../../columns.ts'

export type ConsoleSessionKind = 'browser' | 'program'

/**
 * Sessions of the console. The browser has a cookie and no token. A session belongs to a management client or to a
 * person.
 */
export const consoleSessions = table(
  'console_sessions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** A session of a program was allowed in a session of a browser. Programs of older versions have the kind `browser`. */
    kind: text('kind').$type<ConsoleSessionKind>().notNull().default('browser'),
    /** Null for a person. */
    clientId: text('client_id'),
    /** The hash of the secret in the cookie. */
    secretHash: text('secret_hash').notNull(),
    /**
     * The hash of the secret that the client had at sign-in. The session is valid while the client has this secret. Null for a
     * person.
     */
    clientSecretHash: text('client_secret_hash'),
    /**
     * The hash of the role settings of the provider at sign-in. The session is valid while they are the same. This and the next
     * three columns are null for a client.
     */
    providerHash: text('provider_hash'),
    /** The identifier that the provider gives to the person. */
    managementUserId: text('management_user_id'),
    managementUserName: text('management_user_name'),
    /** The roles that the person had at sign-in. A client has its current roles. */
    roles: json<string[]>('roles'),
    /** Written at most once a minute. */
    lastUsedAt: timestamp('last_used_at').notNull(),
    /** Use of the session does not extend it. */
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('console_sessions_page').on(columns.tenantId, columns.createdAt, columns.id),
    index('console_sessions_client').on(columns.tenantId, columns.clientId, columns.createdAt),
    index('console_sessions_user')
      .on(columns.tenantId, columns.managementUserId, columns.createdAt)
      .where(isNotNull(columns.managementUserId)),
    index('console_sessions_expiry').on(columns.expiresAt),
  ],
)
