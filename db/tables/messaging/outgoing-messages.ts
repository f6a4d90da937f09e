import type { EncryptedMessage } from '../../../shared/domain/messaging/messages.ts'
import { index, integer, json, table, text, timestamp } from '../../columns.ts'

export type OutgoingState = 'pending' | 'delivered' | 'failed'

/** The result of an attempt to deliver a message. */
export interface MessageAttempt {
  at: string
  /** HTTP status of the response. Absent if there was no response. */
  status?: number
  error?: string
}

/** Messages to external recipients, stored encrypted. */
export const outgoingMessages = table(
  'outgoing_messages',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    lineId: text('line_id').notNull(),
    /** The id of the request that sent it. */
    requestId: text('request_id').notNull(),
    /** Null after the message was delivered or has failed. */
    message: json<EncryptedMessage>('message'),
    state: text('state').$type<OutgoingState>().notNull(),
    attemptsMade: integer('attempts_made').notNull(),
    lastAttempt: json<MessageAttempt>('last_attempt'),
    /** Later than that of all earlier messages of the line. */
    createdAt: timestamp('created_at').notNull(),
    /** When the message was delivered or failed. */
    endedAt: timestamp('ended_at'),
  },
  (columns) => [
    index('outgoing_messages_line').on(columns.lineId, columns.state, columns.createdAt),
    index('outgoing_messages_tenant').on(columns.tenantId, columns.state),
    index('outgoing_messages_age').on(columns.endedAt),
  ],
)
