import { isNotNull, sql } from 'drizzle-orm'
import type { SubjectKind, WebhookEventKind } from '../../../shared/domain/operations/webhook-events.ts'
import type { SentRequest } from '../../../shared/domain/operations/webhook-requests.ts'
import { index, integer, json, table, text, timestamp } from '../../columns.ts'

export type DeliveryState = 'pending' | 'delivered' | 'failed'

export interface DeliveryAttempt {
  id: string
  at: string
  /** HTTP status of the response. Absent if there was no response. */
  status?: number
  durationMs: number
  error?: string
  /** The first 1 KB of the response. */
  answer?: string
  /** Attempts of earlier versions, and attempts without a recorded response, have none. */
  request?: SentRequest
}

/** One event for one webhook. The content is read from the subject of the event when it is sent. */
export const deliveries = table(
  'deliveries',
  {
    /** Derived from webhook and event. */
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    /** The generation of the webhook when the delivery was created or replayed. */
    generation: integer('generation').notNull().default(0),
    eventId: text('event_id').notNull(),
    kind: text('kind').$type<WebhookEventKind>().notNull(),
    /** The kind of the subject. Rows of earlier versions have none (see `subjectKindOf`). */
    subjectKind: text('subject_kind').$type<SubjectKind>(),
    /**
     * The id of the object that the event is about. For an issuance it is one of its credentials, which explains the name
     * of the column. Null for a test event.
     */
    objectId: text('credential_id'),
    eventAt: timestamp('event_at').notNull(),
    state: text('state').$type<DeliveryState>().notNull(),
    /** All attempts, including those before a replay. */
    attempts: json<DeliveryAttempt[]>('attempts').notNull(),
    /** The number of attempts in the retry schedule. A replay resets it. */
    attemptsMade: integer('attempts_made').notNull(),
    /** Set if and only if the delivery is pending. */
    nextAttemptAt: timestamp('next_attempt_at'),
    /**
     * Set while a job holds the attempt. The job identifies its hold by this value and starts the attempt before this
     * time. A few seconds later the job is considered lost and the row is free again. Null while the row waits for its
     * next attempt.
     */
    queuedUntil: timestamp('queued_until'),
    /** The trace that all attempts join. Null if the event belongs to no recorded trace. */
    traceparent: text('traceparent'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('deliveries_page').on(columns.tenantId, columns.webhookId, columns.createdAt, columns.id),
    // Almost all deliveries are in the state `delivered`. The next three indexes exclude them.
    index('deliveries_waiting')
      .on(columns.webhookId, columns.nextAttemptAt)
      .where(sql`${columns.nextAttemptAt} is not null and ${columns.queuedUntil} is null`),
    index('deliveries_queued').on(columns.queuedUntil).where(isNotNull(columns.queuedUntil)),
    index('deliveries_undelivered')
      .on(columns.tenantId, columns.state, columns.webhookId, columns.createdAt, columns.id)
      .where(sql`${columns.state} <> 'delivered'`),
  ],
)
