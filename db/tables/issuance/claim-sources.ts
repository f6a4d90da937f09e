import { index, json, table, text, timestamp } from '../../columns.ts'

export type ClaimSourceAuthorization = 'api-key' | 'oauth-client-credentials'

/** Services of the operator that are asked for claims while a credential is issued. */
export const claimSources = table(
  'claim_sources',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    authorizationType: text('authorization_type').$type<ClaimSourceAuthorization>().notNull(),
    /** Sealed under the service secret: it has to be shown to the source. */
    sealedAuthorization: text('sealed_authorization').notNull(),
    requestMethod: text('request_method').$type<'GET' | 'POST'>().notNull(),
    requestParameters:
      json<Record<string, { mapFrom?: string; defaultValue?: string }>>('request_parameters').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('claim_sources_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
