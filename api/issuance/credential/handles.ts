import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

export type HandleUse = 'transaction_id' | 'notification_id'

/**
 * What a wallet calls an issuance by (OpenID4VCI 1.0, sections 8.3 and 9): its id and a MAC, so that nobody can name one
 * that was not told, and there is nothing to store.
 */
export function handleOf(deps: Deps, tenant: Tenant, use: HandleUse, issuanceId: string): string {
  return `${issuanceId}.${deps.secrets.mac(use, keyed(tenant, issuanceId))}`
}

/** The issuance that a handle names; undefined when it is none of ours for this use. */
export function issuanceIdOf(deps: Deps, tenant: Tenant, use: HandleUse, handle: string): string | undefined {
  const [id = '', mac = '', ...rest] = handle.split('.')
  return rest.length === 0 && deps.secrets.isMac(mac, use, keyed(tenant, id)) ? id : undefined
}

const keyed = ({ id }: Tenant, issuanceId: string) => `${id} ${issuanceId}`
