import { index, table, text, timestamp } from '../../columns.ts'

/**
 * Changes of entries that no published list shows yet. A row of each, and none that changes share: those of one list do not
 * wait for one another.
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
