import { isNotNull } from 'drizzle-orm'
import type { Role } from '../../../shared/roles.ts'
import { index, json, table, text, timestamp } from '../../columns.ts'

/** Who is signed in at the console in a browser, which holds a cookie and no token: a management client, or a person. */
export const consoleSessions = table(
  'console_sessions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** Null of a person. */
    clientId: text('client_id'),
    /** Of the cookie's secret. */
    secretHash: text('secret_hash').notNull(),
    /** Of the client's secret that it was begun with: it is good as long as that is. Null of a person. */
    clientSecretHash: text('client_secret_hash'),
    /** Of what the provider's settings said of who may do what: it is good as long as they say the same. Null of a client, as what follows. */
    providerHash: text('provider_hash'),
    /** As the provider names the person. */
    managementUserId: text('management_user_id'),
    managementUserName: text('management_user_name'),
    /** As they were when the person signed in; a client's are its own at all times. */
    roles: json<Role[]>('roles'),
    /** Written once a minute at most. */
    lastUsedAt: timestamp('last_used_at').notNull(),
    /** However much it is used. */
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('console_sessions_client').on(columns.tenantId, columns.clientId, columns.createdAt),
    index('console_sessions_user')
      .on(columns.tenantId, columns.managementUserId, columns.createdAt)
      .where(isNotNull(columns.managementUserId)),
    index('console_sessions_expiry').on(columns.expiresAt),
  ],
)
