import { index, json, table, text, timestamp } from '../../columns.ts'

export type ClaimSourceAuthorization = 'api-key' | 'oauth-client-credentials'
/** The outcome of a credential if the source fails and a mapped claim has no other source. */
export type OnSourceFailure = 'refuse' | 'issue'

/** Services of the operator that supply claims during an issuance. */
export const claimSources = table(
  'claim_sources',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    authorizationType: text('authorization_type').$type<ClaimSourceAuthorization>().notNull(),
    /** Sealed with the service secret. A hash is not enough, because the source requires the secret itself. */
    sealedAuthorization: text('sealed_authorization').notNull(),
    requestMethod: text('request_method').$type<'GET' | 'POST'>().notNull(),
    requestParameters:
      json<Record<string, { mapFrom?: string; defaultValue?: string }>>('request_parameters').notNull(),
    /** `issue` in rows of older versions. The API stores `refuse` unless the operator says otherwise. */
    onFailure: text('on_failure').$type<OnSourceFailure>().notNull().default('issue'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('claim_sources_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
