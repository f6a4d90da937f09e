import { isNotNull, isNull } from 'drizzle-orm'
import { boolean, folded, index, json, primaryKey, table, text, timestamp } from '../../columns.ts'

/** Offers of the authorization code flow. Any number of people can use one. Its id is the `issuer_state`. */
export const sharedOffers = table(
  'shared_offers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    requestParameters: json<Record<string, string>>('request_parameters').notNull(),
    /** The view that the offer is for. Null: the tenant itself. */
    viewId: text('view_id'),
    /** The hash of the secret in the URL of the offer. */
    referenceHash: text('reference_hash'),
    /** Whether the client requested an offer by reference (`credential_offer_uri`). */
    isByReference: boolean('is_by_reference').notNull().default(false),
    /** The authorization server at which people sign in. Null for the tenant itself. A deleted one counts as null. */
    authorizationServerId: text('authorization_server_id'),
    /**
     * When it was deleted. The row stays, so that the erasure of a user does not remove the events of an offer that
     * others used too.
     */
    deletedAt: timestamp('deleted_at'),
    /** The reference that operators gave the offer, such as a customer number. It is never issued. */
    label: text('label'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('shared_offers_tenant').on(columns.tenantId),
    index('shared_offers_label')
      .on(columns.tenantId, folded(columns.label), columns.createdAt, columns.id)
      .where(isNotNull(columns.label)),
    index('shared_offers_view').on(columns.tenantId, columns.viewId).where(isNotNull(columns.viewId)),
    index('shared_offers_list').on(columns.tenantId, columns.createdAt, columns.id).where(isNull(columns.deletedAt)),
  ],
)

/** The shared offers that name a configuration, without deleted ones. */
export const sharedOfferConfigurations = table(
  'shared_offer_configurations',
  {
    tenantId: text('tenant_id').notNull(),
    configurationId: text('configuration_id').notNull(),
    offerId: text('offer_id').notNull(),
    /** When the offer was created. */
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    primaryKey({
      name: 'shared_offer_configurations_key',
      columns: [columns.tenantId, columns.configurationId, columns.createdAt, columns.offerId],
    }),
  ],
)
