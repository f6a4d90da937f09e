import type { Reader } from '../../../db/client.ts'
import { findParticipant, type ParticipantRow } from '../../../db/repos/ecosystems/participants.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { idOf } from '../../http/fields.ts'
import { EcosystemParams } from '../ecosystems/access.ts'

/** The path parameters of a resource of a participant. */
export const ParticipantParams = EcosystemParams.extend({ participantId: idOf('participant') })

/** Returns the participant in the path. The caller has checked that the ecosystem exists. Throws `not_found`. */
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
