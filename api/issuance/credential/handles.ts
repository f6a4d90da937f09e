import type { IssuanceResult } from '../../../db/repos/issuance/issuances.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

export type HandleUse = 'transaction_id' | 'notification_id'

/**
 * Returns the handle by which a wallet names an issuance (OpenID4VCI 1.0, sections 8.3 and 9): its id and a MAC. The
 * MAC prevents guessing, and the handle needs no storage.
 */
export function handleOf(deps: Deps, tenant: Tenant, use: HandleUse, issuanceId: string): string {
  return `${issuanceId}.${deps.secrets.ofTenant(tenant).mac(use, keyed(tenant, issuanceId))}`
}

/** Returns the issuance that a handle names, or undefined if the handle is not valid for this use. */
export function issuanceIdOf(deps: Deps, tenant: Tenant, use: HandleUse, handle: string): string | undefined {
  const [id = '', mac = '', ...rest] = handle.split('.', 3)
  return rest.length === 0 && deps.secrets.ofTenant(tenant).isMac(mac, use, keyed(tenant, id)) ? id : undefined
}

/**
 * Returns whether an access token is valid for an issuance: it requested the issuance, or it is a refreshed token of the same
 * authorization (OpenID4VCI 1.0, sections 9 and 11).
 */
export function isOfHolder(
  { sessionId, authorizationId }: Pick<IssuanceResult, 'sessionId' | 'authorizationId'>,
  holder: Holder,
): boolean {
  return sessionId === holder.sessionId || (authorizationId !== null && authorizationId === holder.authorizationId)
}

const keyed = ({ id }: Tenant, issuanceId: string) => `${id} ${issuanceId}`
