import { isNotNull, sql } from 'drizzle-orm'
import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** The queue of messages of one tenant to one external recipient. The messages are sent one after the other. */
export const outgoingLines = table(
  'outgoing_lines',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** A DID. */
    recipient: text('recipient').notNull(),
    /** `createdAt` of the newest message. The next message has a later one. */
    lastMessageAt: timestamp('last_message_at').notNull(),
    /** When the first message is attempted. Null if no message waits. */
    nextAttemptAt: timestamp('next_attempt_at'),
    /**
     * Set while a job holds the line. The job identifies its hold by this value and starts no attempt after this time.
     * A few seconds later the job is considered lost and the line is free again.
     */
    queuedUntil: timestamp('queued_until'),
    /** Since when no message waits. Null while messages wait. */
    idleSince: timestamp('idle_since'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('outgoing_lines_recipient').on(columns.tenantId, columns.recipient),
    index('outgoing_lines_waiting')
      .on(columns.tenantId, columns.nextAttemptAt)
      .where(sql`${columns.nextAttemptAt} is not null and ${columns.queuedUntil} is null`),
    index('outgoing_lines_queued').on(columns.queuedUntil).where(isNotNull(columns.queuedUntil)),
    index('outgoing_lines_idle').on(columns.idleSince),
  ],
)
