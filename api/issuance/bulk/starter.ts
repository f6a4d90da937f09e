import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import type { Caller } from '../../access/subjects.ts'
import { uploaderOf } from '../../access/uploader.ts'

/** Returns who starts a bulk issuance, as it is stored. */
export function starterOf(caller: Caller): Pick<BulkIssuanceRow, 'startedBy' | 'starter'> {
  const { kind: starter, id: startedBy } = uploaderOf(caller)
  return { startedBy, starter }
}
