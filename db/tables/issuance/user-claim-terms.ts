import { primaryKey, table, text, timestamp } from '../../columns.ts'

/**
 * The search terms of users (`claim-terms.ts`), one per row. A search reads one index range on both databases. The key
 * includes the page order, so that all pages cost the same.
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
