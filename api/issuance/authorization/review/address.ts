import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'

/**
 * Returns the path of the review of an authorization. Its `state` has an HMAC of the authorization, so that other sites cannot send its form.
 */
export function reviewPath({ secrets }: Deps, tenant: Tenant, authorizationId: string): string {
  const state = `${authorizationId}.${secrets.ofTenant(tenant).mac(macUse, contentOf(tenant, authorizationId))}`
  return `/v1/oauth/review?${new URLSearchParams({ state })}`
}

/** Returns whether a `state` is that of the review of the authorization. */
export function isReviewState({ secrets }: Deps, tenant: Tenant, authorizationId: string, state: string): boolean {
  const prefix = `${authorizationId}.`
  const mac = state.slice(prefix.length)
  return state.startsWith(prefix) && secrets.ofTenant(tenant).isMac(mac, macUse, contentOf(tenant, authorizationId))
}

const macUse = 'sign-in review'

const contentOf = ({ id }: Tenant, authorizationId: string) => `${id} ${authorizationId}`
