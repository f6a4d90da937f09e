import { index, table, text, timestamp } from '../../columns.ts'

/**
 * Changes of entries that no published list contains yet. Each change has its own row, so that changes of one list do
 * not wait for each other's locks.
 */
export const statusChanges = table(
  'status_changes',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    listId: text('list_id').notNull(),
    changedAt: timestamp('changed_at').notNull(),
  },
  (columns) => [index('status_changes_list').on(columns.tenantId, columns.listId, columns.changedAt)],
)
