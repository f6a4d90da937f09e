import { sql } from 'drizzle-orm'
import type { ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import type { LoteContent } from '../../../shared/formats/trusted-lists/lote/build-lote.ts'
import { boolean, bytes, index, integer, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export type PublicationFrequency = 'Daily' | 'Weekly'

/**
 * How an ecosystem publishes its lists of a kind, with the number of the last list. After a deletion the row stays
 * without a provider, so that no number is used twice.
 */
export const trustedListConfigurations = table(
  'trusted_list_configurations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    kind: text('kind').$type<ListKind>().notNull(),
    /** Null if there is no configuration. */
    provider: text('provider'),
    /** The scheme and the entities of a list of trusted entities. Null for a VICAL or RICAL. */
    lote: json<LoteContent>('lote'),
    autoPublishes: boolean('auto_publishes').notNull(),
    /** Null if automatic publication was never configured. */
    frequency: text('frequency').$type<PublicationFrequency>(),
    autoPublishConfiguredAt: timestamp('auto_publish_configured_at'),
    lastNumber: integer('last_number').notNull(),
    /** The number of the newest lists that are kept. Null keeps all lists. */
    keepLast: integer('keep_last'),
    /** If `keepLast` is set: whether the last list of each month is kept as well. */
    keepMonthly: boolean('keep_monthly').notNull().default(false),
    /**
     * When the last list was published automatically. A change or deletion of the configuration keeps it, so that there
     * is one automatic list per day or week.
     */
    lastAutomaticAt: timestamp('last_automatic_at'),
    /**
     * The last failure of automatic publication. This and the next three columns are null after a success or a new
     * configuration.
     */
    lastFailureAt: timestamp('last_failure_at'),
    lastFailureReason: text('last_failure_reason'),
    failingSince: timestamp('failing_since'),
    /** There is no attempt before this time. */
    retryAt: timestamp('retry_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('trusted_list_configurations_kind').on(columns.tenantId, columns.ecosystemId, columns.kind),
    index('trusted_list_configurations_due').on(columns.autoPublishes, columns.frequency, columns.lastAutomaticAt),
    index('trusted_list_configurations_retention').on(columns.id).where(sql`${columns.keepLast} is not null`),
  ],
)

/**
 * Signed lists. A row exists before its content. The signing process then numbers and signs the list. Upkeep removes
 * old lists by the retention of the configuration.
 */
export const trustedLists = table(
  'trusted_lists',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    kind: text('kind').$type<ListKind>().notNull(),
    isAutoPublished: boolean('is_auto_published').notNull(),
    /** This and the next four columns are null until the publication. */
    number: integer('number'),
    date: timestamp('date'),
    nextUpdate: timestamp('next_update'),
    content: bytes('content'),
    /** The certificate that signed it. */
    signerId: text('signer_id'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('trusted_lists_number').on(columns.tenantId, columns.ecosystemId, columns.kind, columns.number),
    index('trusted_lists_unpublished').on(columns.createdAt).where(sql`${columns.number} is null`),
    index('trusted_lists_page').on(columns.tenantId, columns.ecosystemId, columns.kind, columns.createdAt, columns.id),
  ],
)
