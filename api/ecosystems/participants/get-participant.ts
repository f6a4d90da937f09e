import type { Reader } from '../../../db/client.ts'
import { findParticipant, type ParticipantRow } from '../../../db/repos/ecosystems/participants.ts'
import { notFound } from '../../../shared/errors.ts'
import { idOf } from '../../http/fields.ts'
import { InEcosystem } from '../ecosystems/access.ts'

/** What a participant has is at addresses that name both. */
export const OfParticipant = InEcosystem.extend({ participantId: idOf('participant') })

/** The participant that the path names, in an ecosystem that is there. Throws `not_found`. */
export async function getParticipant(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  id: string,
): Promise<ParticipantRow> {
  const participant = await findParticipant(db, tenantId, ecosystemId, id)
  if (!participant) throw notFound('participantId', id)
  return participant
}
