import { index, table, text, timestamp } from '../../columns.ts'

/** Inboxes, in which messages wait for the operators of a tenant. */
export const inboxes = table(
  'inboxes',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    /** `createdAt` of the newest message, also after its removal. The next message has a later one. */
    lastMessageAt: timestamp('last_message_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('inboxes_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
