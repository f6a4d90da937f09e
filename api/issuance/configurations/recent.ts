import { type ConfigurationRow, findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'

/** A change by another process is visible after this time. A process that changes a row deletes its own entry at once. */
const configurationTtlMs = 1_000

/** Credential configurations, by tenant and id. */
const configurationsCache = defineCache<string, ConfigurationRow>('configurations', {
  max: 5_000,
  ttl: configurationTtlMs,
})

/** Finds a configuration for the requests of wallets. The result can be up to one second old. */
export async function findRecentConfiguration(
  deps: Deps,
  tenantId: string,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const configurations = deps.caches.of(configurationsCache)
  const cachedRow = configurations.get(`${tenantId} ${id}`)
  if (cachedRow) return cachedRow
  const row = await findConfiguration(deps.db.read, tenantId, id)
  if (row) configurations.set(`${tenantId} ${id}`, row)
  return row
}

/** Removes cached data after this process created, changed or deleted a configuration. */
export function forgetConfiguration({ caches }: Deps, tenantId: string, id: string): void {
  caches.of(configurationsCache).delete(`${tenantId} ${id}`)
  caches.forgetTenant(tenantId)
}
