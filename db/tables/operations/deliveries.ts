import { isNotNull, sql } from 'drizzle-orm'
import type { SubjectKind, WebhookEventKind } from '../../../shared/domain/operations/webhook-events.ts'
import { index, integer, json, table, text, timestamp } from '../../columns.ts'

export type DeliveryState = 'pending' | 'delivered' | 'failed'

export interface DeliveryAttempt {
  id: string
  at: string
  /** HTTP status of the answer; absent when there was none. */
  status?: number
  durationMs: number
  error?: string
  /** The first 1 KB of the answer. */
  answer?: string
}

/** One event on its way to one webhook. What it says is read from its subject when it is sent. */
export const deliveries = table(
  'deliveries',
  {
    /** Derived from webhook and event. */
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    /** The webhook's when the delivery was made or replayed. */
    generation: integer('generation').notNull().default(0),
    eventId: text('event_id').notNull(),
    kind: text('kind').$type<WebhookEventKind>().notNull(),
    /** What it happened to. Rows of earlier versions have none: see `subjectKindOf`. */
    subjectKind: text('subject_kind').$type<SubjectKind>(),
    /**
     * What the event is about: of an issuance one of its credentials, which gave the column its name; null for a test.
     */
    aboutId: text('credential_id'),
    eventAt: timestamp('event_at').notNull(),
    state: text('state').$type<DeliveryState>().notNull(),
    /** All that were ever made, also before a replay. */
    attempts: json<DeliveryAttempt[]>('attempts').notNull(),
    /** How many of the schedule's; a replay starts it anew. */
    attemptsMade: integer('attempts_made').notNull(),
    /** Set while pending, and only then. */
    nextAttemptAt: timestamp('next_attempt_at'),
    /**
     * Set while the attempt is a job's, which knows the row by this very time and begins before it; null while it waits for
     * its time. Some seconds after it the job was lost, and the row is free again.
     */
    queuedUntil: timestamp('queued_until'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('deliveries_page').on(columns.tenantId, columns.webhookId, columns.createdAt, columns.id),
    // Delivered ones are nearly all there are, and are in none of these.
    index('deliveries_waiting')
      .on(columns.webhookId, columns.nextAttemptAt)
      .where(sql`${columns.nextAttemptAt} is not null and ${columns.queuedUntil} is null`),
    index('deliveries_queued').on(columns.queuedUntil).where(isNotNull(columns.queuedUntil)),
    index('deliveries_undelivered')
      .on(columns.tenantId, columns.state, columns.webhookId, columns.createdAt, columns.id)
      .where(sql`${columns.state} <> 'delivered'`),
  ],
)
