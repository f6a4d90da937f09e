import { json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** A tenant's OpenID Connect provider, at which users sign in; there is at most one (decisions: authentication providers). */
export const authenticationProviders = table(
  'authentication_providers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    url: text('url').notNull(),
    scope: json<string[]>('scope').notNull(),
    clientId: text('client_id').notNull(),
    /** Sealed under the service secret: it has to be shown to the provider, so a hash will not do. */
    sealedClientSecret: text('sealed_client_secret').notNull(),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method').notNull(),
    staticRequestParameters: json<Record<string, unknown>>('static_request_parameters').notNull(),
    forwardedRequestParameters: json<string[]>('forwarded_request_parameters').notNull(),
    claimsToPersist: json<string[]>('claims_to_persist').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('authentication_providers_tenant').on(columns.tenantId)],
)
