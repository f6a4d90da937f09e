import { authorizationServers } from '../tables/issuance/authorization-servers.ts'
import { claimSources } from '../tables/issuance/claim-sources.ts'
import { interactionHooks } from '../tables/issuance/interaction-hooks.ts'
import { authenticationProviders } from '../tables/issuance/sign-in-providers.ts'
import type { RetentionRule } from './retention-rule.ts'

/** The retention of the settings of sign-ins and claims. They stay until they or the tenant are deleted. */
export const signInRules: readonly RetentionRule[] = [
  { table: authenticationProviders, tenant: authenticationProviders.tenantId },
  { table: authorizationServers, tenant: authorizationServers.tenantId },
  { table: claimSources, tenant: claimSources.tenantId },
  { table: interactionHooks, tenant: interactionHooks.tenantId },
]
