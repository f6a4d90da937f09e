import { findNamedConfigurations } from '../../../db/repos/issuance/configurations.ts'
import type { Tenant } from '../../access/subjects.ts'
import { publishes } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'

/** Returns the `ids` that exist in the tenant and that the view of the request publishes, in their order. */
export async function findPublishedIds(
  { db }: Deps,
  { id: tenantId, view }: Tenant,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await findNamedConfigurations(db.read, tenantId, [...ids])
  const existingIds = new Set(rows.filter((row) => publishes(view, row)).map(({ id }) => id))
  return ids.filter((id) => existingIds.has(id))
}
