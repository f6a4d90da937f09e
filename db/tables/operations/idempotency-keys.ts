import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * `running`: the request with the key has changed nothing. `changed`: a transaction of the request may have been committed. It may have stored
 * an answer that is true only once the rest of the request is done. `answered`: the answer is stored.
 */
export type IdempotencyState = 'running' | 'changed' | 'answered'

/** The keys of management requests that create something, with the answers for repeated requests. */
export const idempotencyKeys = table(
  'idempotency_keys',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The management client or the user of the console. Each has its own keys. */
    callerId: text('caller_id').notNull(),
    keyHash: text('key_hash').notNull(),
    /** MAC of method, URL and body. */
    fingerprint: text('fingerprint').notNull(),
    /** The request that has the key. */
    requestId: text('request_id').notNull(),
    state: text('state').$type<IdempotencyState>().notNull(),
    /** The request can still be running until this time. */
    runningUntil: timestamp('running_until').notNull(),
    /** The person whose data the answer can contain. */
    userId: text('user_id'),
    sealedAnswer: text('sealed_answer'),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    uniqueIndex('idempotency_keys_key').on(columns.tenantId, columns.callerId, columns.keyHash),
    index('idempotency_keys_user').on(columns.tenantId, columns.userId),
    index('idempotency_keys_expiry').on(columns.expiresAt),
  ],
)
