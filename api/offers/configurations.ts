import type { Reader } from '../../db/client.ts'
import { type ConfigurationRow, findConfigurations } from '../../db/repos/configurations.ts'
import { Problem } from '../../shared/errors.ts'

/** The configurations that an offer names, in its order. Throws a detail for every id that names none of the tenant. */
export async function getOffered(db: Reader, tenantId: string, ids: string[]): Promise<ConfigurationRow[]> {
  const byId = new Map((await findConfigurations(db, tenantId, ids)).map((row) => [row.id, row]))
  const details = ids.flatMap((id, position) =>
    byId.has(id)
      ? []
      : [{ value: id, msg: 'Resource Not Found', param: `credentials.${position}`, location: 'body' as const }],
  )
  if (details.length > 0) throw new Problem('bad_request', { details })
  return ids.flatMap((id) => byId.get(id) ?? [])
}
