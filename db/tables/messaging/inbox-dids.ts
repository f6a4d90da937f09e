import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * The DIDs whose messages an inbox accepts. A tenant can have a DID in one inbox at most. Several tenants can have the
 * same DID, since each has proven control of it. Each of them then receives the message.
 */
export const inboxDids = table(
  'inbox_dids',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    inboxId: text('inbox_id').notNull(),
    did: text('did').notNull(),
    /**
     * Null for a did:web that the tenant created for another domain and that this domain does not publish yet. Until
     * then only messages of the same tenant reach it.
     */
    provenAt: timestamp('proven_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    // The DID comes first, because a sender looks for it in all tenants.
    uniqueIndex('inbox_dids_recipient').on(columns.did, columns.tenantId),
    index('inbox_dids_page').on(columns.tenantId, columns.inboxId, columns.createdAt, columns.id),
  ],
)
