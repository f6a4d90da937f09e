import { eventPayloads } from '../../../db/event-payloads.ts'
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
  payloadOf: eventPayloads.bulk,
}
