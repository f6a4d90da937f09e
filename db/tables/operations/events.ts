import { isNotNull } from 'drizzle-orm'
import { index, json, table, text, timestamp } from '../../columns.ts'

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
    index('events_request').on(columns.tenantId, columns.requestId, columns.timestamp),
    // For each filter of `GET /v1/events`. They cost an event 5 µs of 35 (1,000,000 rows, SQLite); requests of wallets have
    // no management client, and are not in the last two.
    index('events_type').on(columns.tenantId, columns.type, columns.timestamp),
    index('events_category').on(columns.tenantId, columns.category, columns.timestamp),
    index('events_client').on(columns.tenantId, columns.clientId, columns.timestamp).where(isNotNull(columns.clientId)),
    index('events_management_user')
      .on(columns.tenantId, columns.managementUserId, columns.timestamp)
      .where(isNotNull(columns.managementUserId)),
    index('events_offer').on(columns.tenantId, columns.offerId, columns.timestamp).where(isNotNull(columns.offerId)),
  ],
)
