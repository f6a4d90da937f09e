import { bytes, index, primaryKey, table, text, timestamp } from '../../columns.ts'

/** The uploaded logos of a tenant. Everyone can read them at their public address. */
export const logos = table(
  'logos',
  {
    tenantId: text('tenant_id').notNull(),
    /** The SHA-256 hash of the content in base64url. */
    id: text('id').notNull(),
    /** The media type of the content. */
    type: text('type').notNull(),
    content: bytes('content').notNull(),
    /** When it was last uploaded. */
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.tenantId, columns.id] }),
    index('logos_newest').on(columns.tenantId, columns.createdAt),
  ],
)
