import type { EncryptedMessage } from '../../../shared/domain/messaging/messages.ts'
import { index, integer, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** Messages that came for a DID of an inbox, encrypted as they are. */
export const inboxMessages = table(
  'inbox_messages',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    inboxId: text('inbox_id').notNull(),
    /** The DID that it was sent to. */
    recipient: text('recipient').notNull(),
    message: json<EncryptedMessage>('message').notNull(),
    /** Of the message's bytes, base64url: one that comes again is known by it. */
    sha256: text('sha256').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** Later than that of every message that the inbox got before: whoever reads on misses none. */
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    uniqueIndex('inbox_messages_bytes').on(columns.inboxId, columns.sha256),
    // With the size, which SQLite would otherwise read behind the whole message.
    index('inbox_messages_page').on(
      columns.tenantId,
      columns.inboxId,
      columns.createdAt,
      columns.id,
      columns.sizeBytes,
    ),
    index('inbox_messages_age').on(columns.expiresAt),
  ],
)
