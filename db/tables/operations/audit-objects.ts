import { primaryKey, table, text } from '../../columns.ts'

/**
 * The credentials whose status an audit row changed, so that the row is found by them. Rows stay as long as the audit, which contains the
 * same ids.
 */
export const auditObjects = table(
  'audit_objects',
  {
    tenantId: text('tenant_id').notNull(),
    /** The id of the credential. */
    objectId: text('object_id').notNull(),
    /** The id of the audit row. Later rows have greater ids. */
    auditId: text('audit_id').notNull(),
    /** The name of the client or person at the time of the change. Null if the change had neither. */
    changedByName: text('changed_by_name'),
  },
  (columns) => [primaryKey({ columns: [columns.tenantId, columns.objectId, columns.auditId] })],
)
