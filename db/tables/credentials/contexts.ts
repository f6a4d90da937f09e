import { index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * The JSON-LD contexts of a tenant. They are never fetched and never changed. An operator deletes one and creates
 * another.
 */
export const contexts = table(
  'contexts',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    url: text('url').notNull(),
    /** The document as the operator wrote it. */
    document: json<Record<string, unknown>>('document').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('contexts_url').on(columns.tenantId, columns.url),
    index('contexts_page').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
