import type { EncryptedMessage } from '../../../shared/domain/messaging/messages.ts'
import { index, integer, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** Messages to the DIDs of an inbox, stored encrypted. */
export const inboxMessages = table(
  'inbox_messages',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    inboxId: text('inbox_id').notNull(),
    /** The DID that the message was sent to. */
    recipient: text('recipient').notNull(),
    message: json<EncryptedMessage>('message').notNull(),
    /** SHA-256 of the bytes of the message, base64url. Identifies a message that is sent again. */
    sha256: text('sha256').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** Later than that of all earlier messages of the inbox, so that a reader with a cursor misses no message. */
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    uniqueIndex('inbox_messages_bytes').on(columns.inboxId, columns.sha256),
    // Includes the size, because SQLite would otherwise read the whole message to reach it.
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
