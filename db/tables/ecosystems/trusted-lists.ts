import { sql } from 'drizzle-orm'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'
import { boolean, bytes, index, integer, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export type PublicationFrequency = 'Daily' | 'Weekly'

/**
 * How an ecosystem publishes its lists of a kind, and the number of the last one. A configuration that is deleted leaves its
 * row without a provider: numbers are given once, whatever was deleted.
 */
export const trustedListConfigurations = table(
  'trusted_list_configurations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    kind: text('kind').$type<TrustedListKind>().notNull(),
    /** Null where there is no configuration. */
    provider: text('provider'),
    autoPublishes: boolean('auto_publishes').notNull(),
    /** Null where nothing was said of automatic publication. */
    frequency: text('frequency').$type<PublicationFrequency>(),
    autoPublishConfiguredAt: timestamp('auto_publish_configured_at'),
    lastNumber: integer('last_number').notNull(),
    /** How many of the newest lists are kept. Null keeps all lists. */
    keepLast: integer('keep_last'),
    /** With `keepLast`: the last list of each month is kept as well. */
    keepMonthly: boolean('keep_monthly').notNull().default(false),
    /** When the last list was published by itself. It stays whatever is configured or deleted: there is one in a day or week. */
    lastAutomaticAt: timestamp('last_automatic_at'),
    /** Of automatic publication, until it succeeds or is configured anew, as is what follows. */
    lastFailureAt: timestamp('last_failure_at'),
    lastFailureReason: text('last_failure_reason'),
    failingSince: timestamp('failing_since'),
    /** It is not tried before. */
    retryAt: timestamp('retry_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('trusted_list_configurations_kind').on(columns.tenantId, columns.ecosystemId, columns.kind),
    index('trusted_list_configurations_due').on(columns.autoPublishes, columns.frequency, columns.lastAutomaticAt),
    index('trusted_list_configurations_retention').on(columns.id).where(sql`${columns.keepLast} is not null`),
  ],
)

/** Lists as they were signed. A row is there before its content: the signing process numbers and signs it. Upkeep removes old ones by the configuration's retention. */
export const trustedLists = table(
  'trusted_lists',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    kind: text('kind').$type<TrustedListKind>().notNull(),
    isAutoPublished: boolean('is_auto_published').notNull(),
    /** Null until it is published, as is what follows. */
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
