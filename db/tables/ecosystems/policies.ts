import { bytes, index, table, text, timestamp } from '../../columns.ts'

export type PolicyKind = 'general' | 'issuer' | 'verifier'

/** The published policies of an ecosystem. A policy does not change after its publication. */
export const ecosystemPolicies = table(
  'ecosystem_policies',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    kind: text('kind').$type<PolicyKind>().notNull(),
    /** JSON, exactly as served. */
    content: bytes('content').notNull(),
    /**
     * The trusted list with which it was published. The policy then has the same id. Null if it was published alone.
     */
    listId: text('list_id'),
    publishedAt: timestamp('published_at').notNull(),
  },
  (columns) => [
    index('ecosystem_policies_latest').on(
      columns.tenantId,
      columns.ecosystemId,
      columns.kind,
      columns.publishedAt,
      columns.id,
    ),
  ],
)
