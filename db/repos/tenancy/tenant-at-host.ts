import { normalHost } from '../../../shared/normal-host.ts'
import type { Config } from '../../../shared/settings/config.ts'
import type { Database } from '../../client.ts'
import { findTenantRowByHost, type TenantRow } from './tenants.ts'

/**
 * Returns the tenant of a host. Returns `absent` for a host of this service without a tenant, and undefined for other
 * hosts.
 */
export async function tenantAtHost(
  { db, config: { platformDomain, publicScheme } }: { db: Database; config: Config },
  givenHost: string,
): Promise<TenantRow | 'absent' | undefined> {
  const host = normalHost(givenHost, publicScheme)
  const tenant = await findTenantRowByHost(db.read, host)
  return tenant ?? (host.endsWith(`.${platformDomain}`) ? 'absent' : undefined)
}
