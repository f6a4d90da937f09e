import { isNotNull } from 'drizzle-orm'
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
    /** The number of times that the webhook was disabled. Pending deliveries of an earlier generation have ended. */
    generation: integer('generation').notNull().default(0),
    /** The number of failed attempts in a row. */
    failures: integer('failures').notNull().default(0),
    /** The time of the first of these failures. */
    failingSince: timestamp('failing_since'),
    /** Set after many failures in a row. There is no attempt before this time. */
    pausedUntil: timestamp('paused_until'),
    /** The time at which a listener is removed. A stream renews it. Null for other webhooks. */
    leasedUntil: timestamp('leased_until'),
    /**
     * Events that no request causes, such as the expiry of an offer, are in the outbox or were sent until this time. Null for
     * a webhook that receives none of them.
     */
    foundUntil: timestamp('found_until'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('webhooks_page').on(columns.tenantId, columns.createdAt, columns.id),
    index('webhooks_found').on(columns.foundUntil).where(isNotNull(columns.foundUntil)),
    index('webhooks_leased').on(columns.leasedUntil).where(isNotNull(columns.leasedUntil)),
  ],
)
