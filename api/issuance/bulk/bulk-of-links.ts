import type { Writer } from '../../../db/client.ts'
import { holdColumns } from '../../../db/hold.ts'
import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import type { MissingOfBulk } from '../../../db/repos/issuance/claim-links/renewed-claim-links.ts'
import { bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'

/**
 * Locks a bulk issuance, so that it is not removed before the change of its links. A wallet that collects with another link, and then
 * locks the bulk issuance shared, does not wait.
 */
export async function holdBulkOfLinks(tx: Writer, tenantId: string, id: string): Promise<BulkIssuanceRow> {
  const bulk = await holdColumns(tx, bulkIssuances, tenantId, id)
  if (!bulk || bulk.state === 'removed') throw notFound('id', id)
  return bulk
}

/** The refusal of a renewal if a configuration or the view was deleted. */
export function missingOfLinks({ kind, id }: MissingOfBulk): Problem {
  const message = `The ${kind} ${id} does not exist any more. No credential can be collected with the link. Upload the rows again with another ${kind}.`
  return new Problem('conflict', { message })
}
