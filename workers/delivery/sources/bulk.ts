import { findBulkIssuance } from '../../../db/repos/issuance/bulk-issuances.ts'
import { bulkOfEnd } from '../../../shared/domain/issuance/bulk-issuances.ts'
import type { FannedOutSource } from './source.ts'

/** The event of a completed bulk issuance. The object is the end of a run, because a retry completes it again. */
export const bulk: FannedOutSource = {
  async findEvents(db, tenantId, subjectIds) {
    const found = await Promise.all(
      subjectIds.map(async (objectId) => ({
        objectId,
        row: await findBulkIssuance(db, tenantId, bulkOfEnd(objectId)),
      })),
    )
    return found.flatMap(({ objectId, row }) =>
      row?.endedAt ? [{ subjectId: objectId, objectId, at: row.endedAt }] : [],
    )
  },
  async payloadOf({ db }, { tenantId, objectId }) {
    const row = objectId === null ? undefined : await findBulkIssuance(db, tenantId, bulkOfEnd(objectId))
    if (!row) return undefined
    const { id, total, valid, invalid, done, failed } = row
    return { id, total, valid, invalid, done, failed }
  },
}
