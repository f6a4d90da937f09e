import { index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** JSON-LD contexts of a tenant's own, which are never fetched. One never changes: it is deleted, and another made. */
export const contexts = table(
  'contexts',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    url: text('url').notNull(),
    /** As the operator wrote it. */
    document: json<Record<string, unknown>>('document').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('contexts_url').on(columns.tenantId, columns.url),
    index('contexts_page').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
