import { isNull } from 'drizzle-orm'
import { boolean, index, json, primaryKey, table, text, timestamp } from '../../columns.ts'

/** Auth-code offers: one per URI, used by any number of people (`issuer_state` is its id). */
export const sharedOffers = table(
  'shared_offers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    requestParameters: json<Record<string, string>>('request_parameters').notNull(),
    /** Of the secret in the address that it is served at. */
    referenceHash: text('reference_hash'),
    /** Whether its URI was asked to say where it is, and not to carry it. */
    isByReference: boolean('is_by_reference').notNull().default(false),
    /** Since when it is no offer any more. The row stays: what events tell of it was everybody's, whoever is erased. */
    deletedAt: timestamp('deleted_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('shared_offers_tenant').on(columns.tenantId),
    index('shared_offers_list').on(columns.tenantId, columns.createdAt, columns.id).where(isNull(columns.deletedAt)),
  ],
)

/** The shared offers that name a configuration, but for those that are deleted. */
export const sharedOfferConfigurations = table(
  'shared_offer_configurations',
  {
    tenantId: text('tenant_id').notNull(),
    configurationId: text('configuration_id').notNull(),
    offerId: text('offer_id').notNull(),
    /** The offer's. */
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    primaryKey({
      name: 'shared_offer_configurations_key',
      columns: [columns.tenantId, columns.configurationId, columns.createdAt, columns.offerId],
    }),
  ],
)
