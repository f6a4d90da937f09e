import type { Config } from '../../../shared/config.ts'
import { normalHost } from '../../../shared/normal-host.ts'
import type { Database } from '../../client.ts'
import { findTenantRowByHost, type TenantRow } from './tenants.ts'

/** The tenant at a host of this service; `absent` for a host of ours at which there is none, undefined for a host of others. */
export async function tenantAtHost(
  { db, config: { platformDomain, publicScheme } }: { db: Database; config: Config },
  givenHost: string,
): Promise<TenantRow | 'absent' | undefined> {
  const host = normalHost(givenHost, publicScheme)
  const tenant = await findTenantRowByHost(db.read, host)
  return tenant ?? (host.endsWith(`.${platformDomain}`) ? 'absent' : undefined)
}
