import {
  type CredentialTypeRow,
  findCredentialType,
  listAssignedTypes,
} from '../../../db/repos/ecosystems/credential-types.ts'
import { deleteAssignment, insertAssignment } from '../../../db/repos/ecosystems/participants.ts'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { createAudited, removeAudited } from '../../audit/audited-crud.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf } from '../../http/crud.ts'
import type { Route } from '../../http/route.ts'
import { presentCredentialType } from '../credential-types/present.ts'
import { CredentialTypeView } from '../credential-types/schemas.ts'
import { providerAccess, readerAccess } from '../ecosystems/access.ts'
import { getEcosystem, lockEcosystem } from '../ecosystems/get-ecosystem.ts'
import { getParticipant, ParticipantParams } from './get-participant.ts'
import { Assignment } from './schemas.ts'

export const assignmentRoutes = [
  ...assignmentsOf('issuer', 'Issuer', 'issue'),
  ...assignmentsOf('verifier', 'Verifier', 'verify'),
]

function assignmentsOf(role: ParticipantRole, word: string, verb: string): Route[] {
  const assigned: Collection<CredentialTypeRow, typeof ParticipantParams> = {
    tag: 'Ecosystems',
    access: providerAccess,
    path: `/v1/ecosystems/:ecosystemId/participants/:participantId/${role}/credentials`,
    within: ParticipantParams,
    id: 'credentialId',
    events: `ECOSYSTEM_${role.toUpperCase()}_POLICY`,
    view: CredentialTypeView,
    present: presentCredentialType,
  }
  return [
    listOf(
      { ...assigned, access: readerAccess },
      {
        operation: `retrieve${word}CredentialTypes`,
        summary: `List the credential types that a participant may ${verb} by assignment`,
        problems: ['not_found'],
        async rows({ tenantId, params, query, deps }) {
          await getEcosystem(deps.db.read, tenantId, params.ecosystemId)
          await getParticipant(deps.db.read, tenantId, params.ecosystemId, params.participantId)
          return listAssignedTypes(deps.db.read, tenantId, { ...params, role }, query)
        },
      },
    ),
    createAudited(assigned, {
      operation: `assign${word}CredentialType`,
      summary: `Assign a credential type that a participant may ${verb}. Repeating an assignment changes nothing.`,
      body: Assignment,
      problems: ['not_found'],
      handle: ({ tenantId, params: { ecosystemId, participantId }, body: { credentialId }, deps, change }) =>
        change(async (tx, record) => {
          await lockEcosystem(tx, tenantId, ecosystemId, deps.clock.now())
          await getParticipant(tx, tenantId, ecosystemId, participantId)
          const type = await findCredentialType(tx, tenantId, ecosystemId, credentialId)
          if (!type)
            throw unknownReference('credentialId', credentialId, `GET /v1/ecosystems/${ecosystemId}/credentials`)
          await insertAssignment(tx, { tenantId, ecosystemId, participantId, role, credentialTypeId: credentialId })
          record(tenantId, { id: credentialId, ecosystemId, participantId })
          return type
        }),
    }),
    removeAudited(assigned, {
      operation: `unassign${word}CredentialType`,
      summary: `Remove the assignment of a credential type that a participant may ${verb}`,
      async remove(tx, { tenantId, params: { ecosystemId, participantId }, id, deps }) {
        await lockEcosystem(tx, tenantId, ecosystemId, deps.clock.now())
        await getParticipant(tx, tenantId, ecosystemId, participantId)
        return deleteAssignment(tx, tenantId, { ecosystemId, participantId, role, credentialTypeId: id })
      },
    }),
  ]
}
