import { isNotNull, sql } from 'drizzle-orm'
import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** What a tenant sends to one recipient outside of this service: one message after the other. */
export const outgoingLines = table(
  'outgoing_lines',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** A DID. */
    recipient: text('recipient').notNull(),
    /** `createdAt` of the newest message; the next one's is later. */
    lastMessageAt: timestamp('last_message_at').notNull(),
    /** When the first message is attempted; null when none waits. */
    nextAttemptAt: timestamp('next_attempt_at'),
    /**
     * Set while the line is a job's, which knows it by this very time and begins no attempt after it. Some seconds after it
     * the job was lost, and the line is free again.
     */
    queuedUntil: timestamp('queued_until'),
    /** Since when no message waits; null while some do. */
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
