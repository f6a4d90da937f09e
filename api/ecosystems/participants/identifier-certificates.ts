import type { Writer } from '../../../db/client.ts'
import { replaceIdentifierCertificates } from '../../../db/repos/ecosystems/participant-certificates.ts'
import type { ParticipantRow } from '../../../db/repos/ecosystems/participants.ts'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import { requireRoomIn } from '../ecosystems/get-ecosystem.ts'
import { certificateContent } from './certificate-content.ts'

/** Writes the certificates among a participant's identifiers where lists and validation look for them. */
export type KeepCertificates = (tx: Writer) => Promise<void>

/**
 * Reads the certificates among a participant's identifiers: they are for each of its roles, and for all types that are assigned
 * to it. Throws `bad_request` by the names of the fields; what it returns throws `conflict` where the ecosystem has no room.
 */
export function readIdentifierCertificates(tenant: Tenant, participant: ParticipantRow, at: Date): KeepCertificates {
  const { id: participantId, tenantId, ecosystemId, identifiers, isIssuer, isVerifier } = participant
  const roles: ParticipantRole[] = [
    ...(isIssuer ? (['issuer'] as const) : []),
    ...(isVerifier ? (['verifier'] as const) : []),
  ]
  const rows = (identifiers.mobile ?? []).flatMap(({ certificatePem, status }, place) =>
    roles.map((role) => ({
      id: newOrderedId(at),
      ...{ tenantId, ecosystemId, participantId },
      ...certificateContent(certificatePem, role, `identifiers.mobile.${place}.certificatePem`),
      docTypes: null,
      active: status === 'Active',
      source: 'identifiers' as const,
      createdAt: at,
    })),
  )
  return async (tx) => {
    const inserted = await replaceIdentifierCertificates(tx, tenantId, participantId, rows)
    if (inserted > 0) await requireRoomIn(tx, tenant, ecosystemId, 'participantCertificates', 0)
  }
}
