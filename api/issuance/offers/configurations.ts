import type { Writer } from '../../../db/client.ts'
import { type ConfigurationRow, holdConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { Problem } from '../../../shared/errors/errors.ts'

/**
 * Returns the configurations that an offer names, in its order, and locks them so that they cannot be deleted before
 * the offer is stored. Throws a detail for every unknown id.
 */
export async function getOffered(
  tx: Writer,
  tenantId: string,
  ids: string[],
  field = 'credentials',
): Promise<ConfigurationRow[]> {
  const byId = new Map<string, ConfigurationRow>()
  for (const id of [...new Set(ids)].sort()) {
    const row = await holdConfiguration(tx, tenantId, id)
    if (row) byId.set(id, row)
  }
  const details = ids.flatMap((id, position) =>
    byId.has(id)
      ? []
      : [
          {
            value: id,
            msg: 'Resource Not Found',
            see: 'GET /v2/credentials/configurations',
            param: field === 'credentials' ? `credentials.${position}` : field,
            location: 'body' as const,
          },
        ],
  )
  if (details.length > 0) throw new Problem('bad_request', { details })
  return ids.flatMap((id) => byId.get(id) ?? [])
}
