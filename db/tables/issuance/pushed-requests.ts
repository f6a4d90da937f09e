import { index, json, table, text, timestamp } from '../../columns.ts'

/**
 * Pushed authorization requests (RFC 9126). Each can be spent by one authorization, when that returns a response to the
 * wallet.
 */
export const pushedRequests = table(
  'pushed_requests',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    clientId: text('client_id').notNull(),
    /** The registration of the client, as in `authorizations`. */
    registrationId: text('registration_id'),
    /** Empty after the request was spent. */
    secretHash: text('secret_hash').notNull(),
    parameters: json<Record<string, string>>('parameters').notNull(),
    /** The view that got the request. Null: the tenant itself. */
    viewId: text('view_id'),
    dpopJkt: text('dpop_jkt'),
    instanceJkt: text('instance_jkt'),
    /**
     * The last authorization that it started, whose browser can return to it. After it was spent: the authorization
     * that spent it.
     */
    authorizationId: text('authorization_id'),
    /** Any browser can open the request until this time. Null until the first one does. */
    openUntil: timestamp('open_until'),
    /** Later than `openUntil` once the request was opened, to allow for the sign-in. */
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [index('pushed_requests_expiry').on(columns.expiresAt)],
)
