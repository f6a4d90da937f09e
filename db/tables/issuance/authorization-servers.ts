import { boolean, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'
import type { AssertionAudience } from './sign-in-providers.ts'

/** The profile of signed access tokens. `at+jwt`: JWTs of RFC 9068. `keycloak`: JWTs whose claim `typ` is `Bearer` or `DPoP`. */
export type JwtProfile = 'at+jwt' | 'keycloak'

/** Authorization servers of the operator, whose access tokens the tenant accepts beside its own. */
export const authorizationServers = table(
  'authorization_servers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    /** The exact `iss` of its tokens, where discovery starts. */
    issuer: text('issuer').notNull(),
    /** The `aud` that its tokens must have. */
    audience: text('audience').notNull(),
    jwtProfile: text('jwt_profile').$type<JwtProfile>().notNull(),
    /** Configuration ids by scope, beside the scopes of the configurations themselves. */
    scopes: json<Record<string, string>>('scopes').notNull(),
    subjectClaim: text('subject_claim').notNull(),
    claimsToPersist: json<string[]>('claims_to_persist').notNull(),
    /** Whether claims are read from the UserInfo endpoint too. */
    userInfo: boolean('user_info').notNull(),
    /** The client with which this service asks the introspection endpoint about each token. Null without introspection. */
    clientId: text('client_id'),
    /** Sealed with the service secret. The sealed secret is empty with `private_key_jwt` and without introspection. */
    sealedClientSecret: text('sealed_client_secret').notNull(),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method').notNull(),
    assertionAudience: text('assertion_audience').$type<AssertionAudience>().notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('authorization_servers_issuer').on(columns.tenantId, columns.issuer)],
)
