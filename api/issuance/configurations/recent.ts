import { type ConfigurationRow, findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import type { Deps } from '../../deps.ts'

/** Finds a configuration for the requests of wallets. The result can be up to one second old. */
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

/** Removes cached data after this process created, changed or deleted a configuration. */
export function forgetConfiguration({ caches }: Deps, tenantId: string, id: string): void {
  caches.configurations.delete(`${tenantId} ${id}`)
  caches.scopes.delete(tenantId)
  caches.metadata.delete(tenantId)
}
