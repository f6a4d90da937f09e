import { eventPayloads } from '../../../db/event-payloads.ts'
import { findIssued } from '../../../db/repos/issuance/credentials.ts'
import type { FannedOutSource } from './source.ts'

/** Events of an issuance. Each event is about one of its credentials. */
export const issuance: FannedOutSource = {
  async findEvents(db, tenantId, issuanceIds) {
    const issued = await findIssued(db, tenantId, issuanceIds)
    return issued.map(({ issuanceId: subjectId, credentialId: objectId, issuedAt: at }) => ({
      subjectId,
      objectId,
      at,
    }))
  },
  payloadOf: eventPayloads.issuance,
}
