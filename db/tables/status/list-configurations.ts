import { index, integer, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** The lifetimes of the token status lists of a document type. Its credentials have lists of their own. */
export const statusListConfigurations = table(
  'status_list_configurations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    docType: text('doc_type').notNull(),
    /** The time that verifiers can cache a list. */
    ttlDays: integer('ttl_days').notNull(),
    expiryDays: integer('expiry_days').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('status_list_configurations_type').on(columns.tenantId, columns.docType),
    index('status_list_configurations_page').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
