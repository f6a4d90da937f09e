import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** The objects of a tenant that its files made, by kind and name (api/tenant-files). */
export const managedObjects = table(
  'managed_objects',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The name of the kind in `api/tenant-files/kinds.ts`. */
    kind: text('kind').notNull(),
    /** The object that contains this one, such as the ecosystem of a participant. Empty without one. */
    parentId: text('parent_id').notNull(),
    /** The name of the file. */
    name: text('name').notNull(),
    objectId: text('object_id').notNull(),
    /** The digest of the bundle that last changed it. */
    digest: text('digest').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('managed_objects_name').on(columns.tenantId, columns.kind, columns.parentId, columns.name),
    index('managed_objects_object').on(columns.tenantId, columns.objectId),
    index('managed_objects_created').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
