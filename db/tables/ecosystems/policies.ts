import { bytes, index, table, text, timestamp } from '../../columns.ts'

export type PolicyKind = 'general' | 'issuer' | 'verifier'

/** What was published of an ecosystem, as it stood then. */
export const ecosystemPolicies = table(
  'ecosystem_policies',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    kind: text('kind').$type<PolicyKind>().notNull(),
    /** JSON, as it is answered. */
    content: bytes('content').notNull(),
    /** Of the trusted list with which it was published, which is its own id too; null where it was published by itself. */
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
