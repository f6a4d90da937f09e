import type { z } from 'zod'
import {
  deleteParticipant,
  findParticipant,
  insertParticipant,
  listParticipants,
  type ParticipantRow,
  updateParticipant,
} from '../../../db/repos/ecosystems/participants.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { isFullReader } from '../../access/shown-to.ts'
import type { Caller } from '../../access/subjects.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { EcosystemParams, providerAccess, readerAccess } from '../ecosystems/access.ts'
import { enforceEcosystemQuota, getEcosystem, lockEcosystem } from '../ecosystems/get-ecosystem.ts'
import { assignmentRoutes } from './assignment-routes.ts'
import { certificateRoutes } from './certificate-routes.ts'
import { getParticipant } from './get-participant.ts'
import { readIdentifierCertificates } from './identifier-certificates.ts'
import { didsOf } from './identifiers.ts'
import { NewParticipant, ParticipantView } from './schemas.ts'
import { validationRoutes } from './validation-routes.ts'

const participants: Versioned<ParticipantRow, typeof EcosystemParams> = {
  tag: 'Ecosystems',
  access: providerAccess,
  path: '/v1/ecosystems/:ecosystemId/participants',
  within: EcosystemParams,
  id: 'participantId',
  events: 'ECOSYSTEM_PARTICIPANT',
  view: ParticipantView,
  hasVersions: true,
  present,
}

export const participantRoutes = [
  ...auditedCrudOf(participants, {
    name: 'Participant',
    readers: readerAccess,
    create: {
      summary: 'Add a participant to an ecosystem',
      body: NewParticipant,
      problems: ['not_found', 'conflict'],
      async handle({ tenant, tenantId, params: { ecosystemId }, body, deps, change }) {
        const createdAt = deps.clock.now()
        const row = { id: newOrderedId(createdAt), tenantId, ecosystemId, ...contentOf(body), createdAt }
        const keepCertificates = readIdentifierCertificates(tenant, row, createdAt)
        return change(async (tx, record) => {
          await lockEcosystem(tx, tenantId, ecosystemId, createdAt)
          await enforceEcosystemQuota(tx, tenant, ecosystemId, 'participants')
          await insertParticipant(tx, row, didsOf(row))
          await keepCertificates(tx)
          record(tenantId, { id: row.id, ecosystemId })
          return row
        })
      },
    },
    list: {
      summary: 'List the participants of an ecosystem',
      problems: ['not_found'],
      async rows(db, tenantId, page, { params: { ecosystemId } }) {
        await getEcosystem(db, tenantId, ecosystemId)
        return listParticipants(db, tenantId, ecosystemId, page)
      },
    },
    retrieve: {
      summary: 'Retrieve a participant of an ecosystem',
      async find(db, tenantId, id, { params: { ecosystemId } }) {
        await getEcosystem(db, tenantId, ecosystemId)
        return findParticipant(db, tenantId, ecosystemId, id)
      },
    },
    update: {
      summary: 'Replace a participant of an ecosystem. Fields that are left out get their defaults.',
      body: NewParticipant,
      problems: ['conflict'],
      async handle({ tenant, tenantId, params: { ecosystemId }, id, body, deps, change, requireMatch }) {
        const at = deps.clock.now()
        const stored = { id, tenantId, ecosystemId, ...contentOf(body), createdAt: at }
        const keepCertificates = readIdentifierCertificates(tenant, stored, at)
        return change(async (tx, record) => {
          await lockEcosystem(tx, tenantId, ecosystemId, at)
          const before = await getParticipant(tx, tenantId, ecosystemId, id)
          await requireMatch(before)
          const after = { ...before, ...contentOf(body) }
          await updateParticipant(tx, tenantId, ecosystemId, id, contentOf(body), didsOf(after))
          await keepCertificates(tx)
          record(tenantId, { id, ecosystemId, changed: changedFieldNames(before, after) })
          return after
        })
      },
    },
    delete: {
      summary: 'Delete a participant of an ecosystem',
      async remove(tx, { tenantId, params: { ecosystemId }, id, deps }) {
        const at = deps.clock.now()
        await lockEcosystem(tx, tenantId, ecosystemId, at)
        return deleteParticipant(tx, tenantId, ecosystemId, id, at)
      },
    },
  }),
  ...assignmentRoutes,
  ...certificateRoutes,
  ...validationRoutes,
]

type Content = Omit<ParticipantRow, 'id' | 'tenantId' | 'ecosystemId' | 'createdAt'>

function contentOf({ country, stateOrProvince, ...body }: z.output<typeof NewParticipant>): Content {
  // Boundary: what the schema leaves out is absent, and never there as undefined.
  return { ...body, country: country ?? null, stateOrProvince: stateOrProvince ?? null } as Content
}

function present(
  { tenantId, createdAt, country, stateOrProvince, contacts, ...row }: ParticipantRow,
  { caller }: { caller?: Caller },
) {
  return {
    ...row,
    contacts: isFullReader(caller) ? contacts : [],
    ...(country !== null && { country }),
    ...(stateOrProvince !== null && { stateOrProvince }),
  }
}
