import type { Reader } from '../../../db/client.ts'
import { eventPayloads } from '../../../db/event-payloads.ts'
import { findCheckpoint, sizeOfSubject } from '../../../db/repos/operations/audit/audit-checkpoints.ts'
import type { FannedOutSource } from './source.ts'

/** The event of a signed checkpoint. The object is the checkpoint itself. */
export const checkpoint: FannedOutSource = {
  async findEvents(db, tenantId, subjectIds) {
    const checkpoints = await Promise.all(
      subjectIds.map(async (objectId) => ({ objectId, checkpoint: await findOf(db, tenantId, objectId) })),
    )
    return checkpoints.flatMap(({ objectId, checkpoint }) =>
      checkpoint ? [{ subjectId: objectId, objectId, at: checkpoint.createdAt }] : [],
    )
  },
  payloadOf: eventPayloads.checkpoint,
}

function findOf(db: Reader, tenantId: string, subjectId: string) {
  return findCheckpoint(db, tenantId, sizeOfSubject(subjectId))
}
