import { json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** The `aud` of the assertions that authenticate this service by `private_key_jwt` (RFC 7523, section 3). */
export type AssertionAudience = 'issuer' | 'token-endpoint'

/**
 * The OpenID Connect provider at which users sign in (decisions: authentication providers). A tenant has at most one.
 */
export const authenticationProviders = table(
  'authentication_providers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    url: text('url').notNull(),
    scope: json<string[]>('scope').notNull(),
    clientId: text('client_id').notNull(),
    /** Sealed with the service secret. A hash is not enough, because the provider requires the secret itself. */
    sealedClientSecret: text('sealed_client_secret').notNull(),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method').notNull(),
    assertionAudience: text('assertion_audience').$type<AssertionAudience>().notNull().default('issuer'),
    staticRequestParameters: json<Record<string, unknown>>('static_request_parameters').notNull(),
    forwardedRequestParameters: json<string[]>('forwarded_request_parameters').notNull(),
    claimsToPersist: json<string[]>('claims_to_persist').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('authentication_providers_tenant').on(columns.tenantId)],
)
