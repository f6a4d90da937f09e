import type { EncryptedMessage } from '../../../shared/domain/messaging/messages.ts'
import { index, integer, json, table, text, timestamp } from '../../columns.ts'

export type OutgoingState = 'pending' | 'delivered' | 'failed'

/** What came of an attempt to deliver a message. */
export interface MessageAttempt {
  at: string
  /** HTTP status of the answer; absent when there was none. */
  status?: number
  error?: string
}

/** Messages to recipients outside of this service, encrypted as they are. */
export const outgoingMessages = table(
  'outgoing_messages',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    lineId: text('line_id').notNull(),
    /** With which it was sent. */
    requestId: text('request_id').notNull(),
    /** Null once it has ended. */
    message: json<EncryptedMessage>('message'),
    state: text('state').$type<OutgoingState>().notNull(),
    attemptsMade: integer('attempts_made').notNull(),
    lastAttempt: json<MessageAttempt>('last_attempt'),
    /** Later than that of every message of the line before it. */
    createdAt: timestamp('created_at').notNull(),
    /** When it was delivered or given up. */
    endedAt: timestamp('ended_at'),
  },
  (columns) => [
    index('outgoing_messages_line').on(columns.lineId, columns.state, columns.createdAt),
    index('outgoing_messages_tenant').on(columns.tenantId, columns.state),
    index('outgoing_messages_age').on(columns.endedAt),
  ],
)
