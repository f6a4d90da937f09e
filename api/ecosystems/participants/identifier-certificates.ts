import type { Writer } from '../../../db/client.ts'
import { replaceIdentifierCertificates } from '../../../db/repos/ecosystems/participant-certificates.ts'
import type { ParticipantRow } from '../../../db/repos/ecosystems/participants.ts'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import { enforceEcosystemQuota } from '../ecosystems/get-ecosystem.ts'
import { certificateContent } from './certificate-content.ts'

/** Stores the certificates among a participant's identifiers in the table that lists and validation read. */
export type StoreCertificates = (tx: Writer) => Promise<void>

/**
 * Reads the certificates among a participant's identifiers. They are used for each of its roles and for all assigned types. Throws
 * `bad_request` with the names of the fields. The returned function throws `conflict` at the limit of the ecosystem.
 */
export function readIdentifierCertificates(tenant: Tenant, participant: ParticipantRow, at: Date): StoreCertificates {
  const { id: participantId, tenantId, ecosystemId, identifiers, isIssuer, isVerifier } = participant
  const roles: ParticipantRole[] = [
    ...(isIssuer ? (['issuer'] as const) : []),
    ...(isVerifier ? (['verifier'] as const) : []),
  ]
  const rows = (identifiers.mobile ?? []).flatMap(({ certificatePem, status }, index) =>
    roles.map((role) => ({
      id: newOrderedId(at),
      ...{ tenantId, ecosystemId, participantId },
      ...certificateContent(certificatePem, role, `identifiers.mobile.${index}.certificatePem`),
      docTypes: null,
      active: status === 'Active',
      source: 'identifiers' as const,
      createdAt: at,
    })),
  )
  return async (tx) => {
    const inserted = await replaceIdentifierCertificates(tx, tenantId, participantId, rows)
    if (inserted > 0) await enforceEcosystemQuota(tx, tenant, ecosystemId, 'participantCertificates', 0)
  }
}
