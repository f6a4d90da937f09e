import { isNotNull } from 'drizzle-orm'
import { index, integer, json, primaryKey, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * What happened to a tenant's security (decisions: audit): one row for each change, written in its transaction, numbered
 * from 1 without a gap, each holding the hash of the one before. Never claim values or secrets: ids, and which fields.
 * Nothing ages here: a chain without its beginning could not be checked.
 */
export const auditEvents = table(
  'audit_events',
  {
    tenantId: text('tenant_id').notNull(),
    number: integer('number').notNull(),
    id: text('id').notNull(),
    type: text('type').notNull(),
    timestamp: timestamp('timestamp').notNull(),
    requestId: text('request_id').notNull(),
    /** The management client; null where a person did it, or the service by itself. */
    clientId: text('client_id'),
    /** The person who signed in to manage. */
    managementUserId: text('management_user_id'),
    data: json<Record<string, unknown>>('data').notNull(),
    /** SHA-256, hex; empty in the first row. */
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.tenantId, columns.number] }),
    index('audit_events_page').on(columns.tenantId, columns.timestamp, columns.id),
    uniqueIndex('audit_events_id').on(columns.tenantId, columns.id),
    index('audit_events_request').on(columns.tenantId, columns.requestId, columns.timestamp, columns.id),
    index('audit_events_type').on(columns.tenantId, columns.type, columns.timestamp, columns.id),
    index('audit_events_client').on(columns.tenantId, columns.clientId, columns.timestamp, columns.id),
    index('audit_events_management_user')
      .on(columns.tenantId, columns.managementUserId, columns.timestamp, columns.id)
      .where(isNotNull(columns.managementUserId)),
  ],
)
