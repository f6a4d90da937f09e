import { index, primaryKey, table, text, timestamp } from '../../columns.ts'

/** Nonces and proof ids that were used: whoever inserts the row uses it. Kept until nothing could accept it any more. */
export const spentProofs = table(
  'spent_proofs',
  {
    tenantId: text('tenant_id').notNull(),
    hash: text('hash').notNull(),
    /** The issuance that it was used for, where it was for one. */
    usedFor: text('used_for'),
    /** Of the request that used it: the very same one is answered again. */
    requestHash: text('request_hash'),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'spent_proofs_key', columns: [columns.tenantId, columns.hash] }),
    index('spent_proofs_expiry').on(columns.expiresAt),
  ],
)
