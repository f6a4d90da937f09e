import type { WebhookEventKind } from '../../../shared/domain/operations/webhook-events.ts'
import { boolean, index, integer, json, table, text, timestamp } from '../../columns.ts'

export const webhooks = table(
  'webhooks',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    events: json<WebhookEventKind[]>('events').notNull(),
    url: text('url').notNull(),
    disabled: boolean('disabled').notNull(),
    /** How many times the webhook was disabled. Pending deliveries of an earlier generation have ended. */
    generation: integer('generation').notNull().default(0),
    /** Attempts that failed since the last one that did not. */
    failures: integer('failures').notNull().default(0),
    /** The first of these. */
    failingSince: timestamp('failing_since'),
    /** After many failures in a row: nothing is attempted before. */
    pausedUntil: timestamp('paused_until'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('webhooks_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
