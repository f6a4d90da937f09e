import { isNotNull } from 'drizzle-orm'
import { index, integer, json, primaryKey, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * The audit of a tenant (decisions: audit), one row for each security-relevant change. A row is written in the
 * transaction of its change. Rows are numbered from 1 without gaps, and each has the hash of the previous row. Data
 * contain ids and names of fields, but no claim values or secrets. Rows are never purged, because a chain without its
 * first rows cannot be verified.
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
    /** The management client. Null if a person or the service itself made the change. */
    clientId: text('client_id'),
    /** The person who was signed in to the console. */
    managementUserId: text('management_user_id'),
    data: json<Record<string, unknown>>('data').notNull(),
    /** SHA-256, hex. Empty in the first row. */
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
