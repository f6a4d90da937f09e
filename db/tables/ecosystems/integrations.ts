import { boolean, integer, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** What came of the last time that a list of others was fetched. */
export interface IntegrationResult {
  success: boolean
  /** ISO 8601. */
  lastSyncedAt: string
  /** Of the last list that was good, which stays in use; absent where there was none. */
  lastModifiedAt?: string
  /** Of the root under which the first good list was, where the operator names no anchor; hex. */
  pinnedRootFingerprint?: string
  failReasons?: { type: string; message: string }[]
}

/** Lists of others that an ecosystem takes over. */
export const ecosystemIntegrations = table(
  'ecosystem_integrations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    format: text('format').$type<'VICAL'>().notNull(),
    url: text('url').notNull(),
    enabled: boolean('enabled').notNull(),
    /** In PEM. */
    trustAnchors: json<string[]>('trust_anchors').notNull(),
    /** Its place among those of the ecosystem. */
    position: integer('position').notNull(),
    /** Null until it was fetched. */
    result: json<IntegrationResult>('result'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('ecosystem_integrations_url').on(columns.tenantId, columns.ecosystemId, columns.format, columns.url),
  ],
)
