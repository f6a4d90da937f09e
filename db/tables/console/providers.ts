import type { Role } from '../../../shared/roles.ts'
import { json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** What those have to whom the provider gives a value. */
export interface RolesOfValue {
  value: string
  roles: Role[]
}

/** A tenant's OpenID Connect provider, at which the people who manage it sign in at the console; there is at most one. */
export const consoleProviders = table(
  'console_providers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** On the button. */
    name: text('name').notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    /** Sealed under the service secret: it has to be shown to the provider, so a hash will not do. */
    sealedClientSecret: text('sealed_client_secret').notNull(),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method').notNull(),
    scope: json<string[]>('scope').notNull(),
    /** Of the id token or the userinfo: its values give roles. */
    claim: text('claim').notNull(),
    /** By which events name a person. */
    userClaim: text('user_claim').notNull(),
    roles: json<RolesOfValue[]>('roles').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('console_providers_tenant').on(columns.tenantId)],
)
