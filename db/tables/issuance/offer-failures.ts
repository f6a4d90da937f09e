import { index, table, text, timestamp } from '../../columns.ts'
import type { OfferState } from './offers.ts'

/**
 * The last failed request of an offer for one person. A successful request writes no row, so an issuance without a failure costs nothing
 * here. The failure is current while the offer has the state in which it failed.
 */
export const offerFailures = table(
  'offer_failures',
  {
    /** The id of the offer. */
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    /** The state of the offer at the failure. */
    failedState: text('failed_state').$type<OfferState>().notNull(),
    requestId: text('request_id').notNull(),
    /** The name of the check that refused the request. */
    check: text('refused_by').notNull(),
    /** The error of the event of the request: `code: reason`. It contains no values of claims. */
    reason: text('reason').notNull(),
    failedAt: timestamp('failed_at').notNull(),
    /** When the row was written, later than the failure. Null in rows of versions that did not send failures to webhooks. */
    recordedAt: timestamp('recorded_at'),
    /** When the offer was created and when it expires. */
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    index('offer_failures_list').on(columns.tenantId, columns.createdAt, columns.id),
    index('offer_failures_user').on(columns.tenantId, columns.userId),
    index('offer_failures_recorded').on(columns.recordedAt, columns.id),
    index('offer_failures_expiry').on(columns.expiresAt),
  ],
)
