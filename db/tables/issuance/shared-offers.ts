import { index, json, table, text, timestamp } from '../../columns.ts'

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
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('shared_offers_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
