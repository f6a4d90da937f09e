import { isNotNull } from 'drizzle-orm'
import { index, json, table, text, timestamp } from '../columns.ts'

/** Analytics (decisions: analytics): START, then SUCCESS or FAIL, of every operation. Never claim values or secrets. */
export const events = table(
  'events',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    type: text('type').notNull(),
    category: text('category').notNull(),
    timestamp: timestamp('timestamp').notNull(),
    requestId: text('request_id').notNull(),
    /** A management client. */
    clientId: text('client_id'),
    /** What a wallet calls itself, which can be anything. */
    walletClientId: text('wallet_client_id'),
    managementUserId: text('management_user_id'),
    /** The credential offer that it happened to, for the offer's timeline. */
    offerId: text('offer_id'),
    data: json<Record<string, unknown>>('data').notNull(),
  },
  (columns) => [
    index('events_page').on(columns.tenantId, columns.timestamp, columns.id),
    index('events_request').on(columns.tenantId, columns.requestId),
    index('events_offer').on(columns.tenantId, columns.offerId, columns.timestamp).where(isNotNull(columns.offerId)),
  ],
)
