import { index, primaryKey, table, text, timestamp } from '../../columns.ts'

/**
 * Used nonces and proof ids. The insert of a row uses a proof, and only one insert can succeed. A row stays until its
 * proof has expired.
 */
export const spentProofs = table(
  'spent_proofs',
  {
    tenantId: text('tenant_id').notNull(),
    hash: text('hash').notNull(),
    /** The issuance that it was used for, if any. */
    usedFor: text('used_for'),
    /** The hash of the request that used the proof. An identical request gets the response again. */
    requestHash: text('request_hash'),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'spent_proofs_key', columns: [columns.tenantId, columns.hash] }),
    index('spent_proofs_expiry').on(columns.expiresAt),
  ],
)
