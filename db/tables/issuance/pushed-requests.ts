import { index, json, table, text, timestamp } from '../../columns.ts'

/** Authorization requests that were pushed (RFC 9126); whoever deletes the row uses it. */
export const pushedRequests = table(
  'pushed_requests',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    clientId: text('client_id').notNull(),
    /** As an authorization has it. */
    registrationId: text('registration_id'),
    secretHash: text('secret_hash').notNull(),
    parameters: json<Record<string, string>>('parameters').notNull(),
    dpopJkt: text('dpop_jkt'),
    instanceJkt: text('instance_jkt'),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [index('pushed_requests_expiry').on(columns.expiresAt)],
)
