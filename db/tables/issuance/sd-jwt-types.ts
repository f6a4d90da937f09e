import { bytes, index, integer, primaryKey, table, text, timestamp } from '../../columns.ts'

/** The published type metadata of SD-JWT VC configurations. A version never changes. It stays after its configuration was deleted. */
export const sdJwtTypes = table(
  'sd_jwt_types',
  {
    configurationId: text('configuration_id').notNull(),
    /** The number of the version, from 1. */
    version: integer('version').notNull(),
    tenantId: text('tenant_id').notNull(),
    /** The JSON document, exactly as served. */
    content: bytes('content').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.configurationId, columns.version] }),
    index('sd_jwt_types_tenant').on(columns.tenantId),
  ],
)
