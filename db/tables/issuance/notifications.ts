import { primaryKey, table, text, timestamp } from '../../columns.ts'

export type NotificationEvent = 'credential_accepted' | 'credential_failure' | 'credential_deleted'

/**
 * Notifications of wallets about their credentials (OpenID4VCI 1.0, section 11). A repeated notification has one row.
 */
export const notifications = table(
  'notifications',
  {
    tenantId: text('tenant_id').notNull(),
    issuanceId: text('issuance_id').notNull(),
    event: text('event').$type<NotificationEvent>().notNull(),
    description: text('description'),
    receivedAt: timestamp('received_at').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'notifications_key', columns: [columns.tenantId, columns.issuanceId, columns.event] }),
  ],
)
