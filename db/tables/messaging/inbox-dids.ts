import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * The DIDs whose messages an inbox takes. A tenant has a DID in one inbox at most; several tenants may have it, since each
 * has shown that its subject wants that, and then each gets the message.
 */
export const inboxDids = table(
  'inbox_dids',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    inboxId: text('inbox_id').notNull(),
    did: text('did').notNull(),
    /** Null for a did:web that the tenant made for another domain: until that publishes it, it counts for the tenant alone. */
    provenAt: timestamp('proven_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    // The DID comes first: whoever sends looks for it whosever it is.
    uniqueIndex('inbox_dids_recipient').on(columns.did, columns.tenantId),
    index('inbox_dids_page').on(columns.tenantId, columns.inboxId, columns.createdAt, columns.id),
  ],
)
