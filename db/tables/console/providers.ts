import { json, table, text, timestamp, uniqueIndex } from '../../columns.ts'
import type { AssertionAudience } from '../issuance/sign-in-providers.ts'

/** The roles of people for whom the provider returns this claim value. */
export interface RolesOfValue {
  value: string
  roles: string[]
}

/** The OpenID Connect provider at which operators sign in to the console. A tenant has at most one. */
export const consoleProviders = table(
  'console_providers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The label of the sign-in button. */
    name: text('name').notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    /** Sealed with the service secret. A hash is not enough, because the provider requires the secret itself. */
    sealedClientSecret: text('sealed_client_secret').notNull(),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method').notNull(),
    assertionAudience: text('assertion_audience').$type<AssertionAudience>().notNull().default('issuer'),
    scope: json<string[]>('scope').notNull(),
    /** A claim of the ID token or of the userinfo. Its values determine the roles. */
    claim: text('claim').notNull(),
    /** The claim whose value identifies the person in events. */
    userClaim: text('user_claim').notNull(),
    roles: json<RolesOfValue[]>('roles').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('console_providers_tenant').on(columns.tenantId)],
)
