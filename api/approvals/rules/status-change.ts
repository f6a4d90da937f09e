import type { z } from 'zod'
import { countBulk } from '../../../db/repos/status/bulk-pages.ts'
import { countLimits } from '../../../shared/domain/status/status-bulks.ts'
import type { Measure } from '../../access/approvals.ts'
import type { OperatorCall } from '../../http/idempotency.ts'
import { type NewBulk, storedFilter } from '../../status/bulk/schemas.ts'

/** A filter finds only credentials that were issued before the request, also if it is approved later. */
export async function measureStatusChange({ tenantId, body, deps }: OperatorCall): Promise<Measure> {
  // Boundary: the schema of the operation has read the body.
  const { credentials, filter, isRevoked } = body as z.output<typeof NewBulk>
  const at = deps.clock.now()
  if (credentials) {
    const ids = new Set(credentials.map((id) => id.toLowerCase()))
    return { ...measureOf(ids.size), details: { isRevoked, credentials: ids.size } }
  }
  const issuedTo = filter?.issuedTo && filter.issuedTo < at ? filter.issuedTo : at
  const ended = { ...filter, issuedTo }
  const objects = await countBulk(deps.db.read, tenantId, { filter: storedFilter(ended), until: at }, countLimits)
  return { ...measureOf(objects), details: { isRevoked, filter: ended }, body: { isRevoked, filter: ended } }
}

/** The change gets the id of its approval. */
function measureOf(objects: number) {
  return { objects, answer: (id: string) => ({ id, accepted: objects }) }
}
