import { type ConfigurationRow, findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import type { Deps } from '../../deps.ts'
import { createRecent } from '../../recent.ts'

const recent = createRecent<ConfigurationRow>(5_000)

/** A configuration as wallets' requests need it, over and over: as it was a second ago at most. */
export async function findRecentConfiguration(
  deps: Deps,
  tenantId: string,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const known = recent.of(deps).get(`${tenantId} ${id}`)
  if (known) return known
  const row = await findConfiguration(deps.db.read, tenantId, id)
  if (row) recent.of(deps).set(`${tenantId} ${id}`, row)
  return row
}

/** Those of `ids` that exist, in their order. */
export async function findRecentConfigurations(
  deps: Deps,
  tenantId: string,
  ids: string[],
): Promise<ConfigurationRow[]> {
  const rows = await Promise.all(ids.map((id) => findRecentConfiguration(deps, tenantId, id)))
  return rows.filter((row) => row !== undefined)
}

/** Called after this process changed or removed a configuration. */
export function forgetConfiguration(deps: Deps, tenantId: string, id: string): void {
  recent.of(deps).delete(`${tenantId} ${id}`)
}
