import { index, json, table, text, timestamp } from '../../columns.ts'

/** Authorization requests that were pushed (RFC 9126): each is good for one authorization that ends with an answer to the wallet. */
export const pushedRequests = table(
  'pushed_requests',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    clientId: text('client_id').notNull(),
    /** As an authorization has it. */
    registrationId: text('registration_id'),
    /** Empty once it is spent. */
    secretHash: text('secret_hash').notNull(),
    parameters: json<Record<string, string>>('parameters').notNull(),
    dpopJkt: text('dpop_jkt'),
    instanceJkt: text('instance_jkt'),
    /** Begun with it last, whose browser may come back to it; once it is spent, what it was spent for. */
    authorizationId: text('authorization_id'),
    /** Until when any browser may open it; null before the first has. */
    openUntil: timestamp('open_until'),
    /** Later than that once it was opened: as long as somebody may be signing in. */
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [index('pushed_requests_expiry').on(columns.expiresAt)],
)
