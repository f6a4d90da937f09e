import { findBulkIssuance } from '../../../db/repos/issuance/bulk-issuances.ts'
import { readBulkEndId } from '../../../shared/domain/issuance/bulk-issuances.ts'
import type { FannedOutSource } from './source.ts'

/**
 * The event of a completed bulk issuance. The object is the end of a run, because a retry completes it again. A retry that has started
 * meanwhile does not change the event.
 */
export const bulk: FannedOutSource = {
  async findEvents(_db, _tenantId, subjectIds) {
    return subjectIds.map((objectId) => ({ subjectId: objectId, objectId, at: readBulkEndId(objectId).at }))
  },
  async payloadOf({ db }, { tenantId, objectId }) {
    if (objectId === null) return undefined
    const { bulkId, done, failed } = readBulkEndId(objectId)
    const row = await findBulkIssuance(db, tenantId, bulkId)
    if (!row) return undefined
    const { id, total, valid, invalid } = row
    return { id, total, valid, invalid, done, failed }
  },
}
