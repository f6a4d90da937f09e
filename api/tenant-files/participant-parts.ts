import { findOperatorCertificates } from '../../db/repos/ecosystems/participant-certificates.ts'
import { findAssignments } from '../../db/repos/ecosystems/participants.ts'
import type { ParticipantRole } from '../../db/tables/ecosystems/participants.ts'
import { fingerprintOf } from '../../shared/formats/certificate.ts'
import { presentParticipantCertificate } from '../ecosystems/participants/certificate-routes.ts'
import type { Part } from './kind.ts'
import { isObject } from './members.ts'

const participant = '/v1/ecosystems/:ecosystemId/participants/:participantId'

/** The assigned types and the certificates of a participant in each role. */
export const participantParts: readonly Part[] = [
  assignedTypesOf('issuer'),
  certificatesOf('issuer'),
  assignedTypesOf('verifier'),
  certificatesOf('verifier'),
]

function assignedTypesOf(role: ParticipantRole): Part {
  return {
    at: [role, 'credentialTypes'],
    path: `${participant}/${role}/credentials`,
    refersTo: { kind: 'credential type', member: 'credentialId' },
    keyOf: (item) => (isObject(item) ? text(item.$ref) : undefined),
    async read(db, tenantId, participantIds) {
      const found = await findAssignments(db, tenantId, participantIds)
      return found
        .filter((each) => each.role === role)
        .map(({ participantId, credentialTypeId }) => ({ ownerId: participantId, view: { id: credentialTypeId } }))
    },
  }
}

function certificatesOf(role: ParticipantRole): Part {
  return {
    at: [role, 'certificates'],
    path: `${participant}/${role}-certificates`,
    keyMember: 'certificatePem',
    keyOf(item) {
      const pem = isObject(item) ? text(item.certificatePem) : undefined
      return pem === undefined ? undefined : fingerprintOf(pem)
    },
    async read(db, tenantId, participantIds) {
      const rows = await findOperatorCertificates(db, tenantId, participantIds, role)
      return rows.map((row) => ({ ownerId: row.participantId, view: presentParticipantCertificate(row) }))
    },
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
