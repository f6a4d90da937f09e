import { primaryKey, table, text, timestamp } from '../../columns.ts'

/**
 * One row for everything that a user can be found by (`claim-terms.ts`), so that a search is an index look-up on both
 * databases. The page order is in the key, so that a page costs the same at any depth.
 */
export const userClaimTerms = table(
  'user_claim_terms',
  {
    tenantId: text('tenant_id').notNull(),
    term: text('term').notNull(),
    createdAt: timestamp('created_at').notNull(),
    userId: text('user_id').notNull(),
  },
  (columns) => [
    primaryKey({
      name: 'user_claim_terms_key',
      columns: [columns.tenantId, columns.term, columns.createdAt, columns.userId],
    }),
  ],
)
