import { type ConfigurationRow, findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import type { Deps } from '../../deps.ts'

/** A configuration as wallets' requests need it, over and over: as it was a second ago at most. */
export async function findRecentConfiguration(
  deps: Deps,
  tenantId: string,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const { configurations } = deps.caches
  const known = configurations.get(`${tenantId} ${id}`)
  if (known) return known
  const row = await findConfiguration(deps.db.read, tenantId, id)
  if (row) configurations.set(`${tenantId} ${id}`, row)
  return row
}

/** Called after this process made, changed or removed a configuration. */
export function forgetConfiguration({ caches }: Deps, tenantId: string, id: string): void {
  caches.configurations.delete(`${tenantId} ${id}`)
  caches.scopes.delete(tenantId)
  caches.metadata.delete(tenantId)
}
