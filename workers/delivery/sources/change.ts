import { eventPayloads } from '../../../db/event-payloads.ts'
import { readChangeSubject } from '../../../shared/domain/operations/change-events.ts'
import type { FannedOutSource } from './source.ts'

/** The events of changes. The object is the subject itself, which contains the payload. */
export const change: FannedOutSource = {
  async findEvents(_db, _tenantId, subjectIds) {
    return subjectIds.flatMap((objectId) => {
      const change = readChangeSubject(objectId)
      return change ? [{ subjectId: objectId, objectId, at: change.at, kind: change.kind }] : []
    })
  },
  payloadOf: eventPayloads.change,
}
