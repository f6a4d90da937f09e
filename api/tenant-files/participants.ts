import { z } from 'zod'
import { findOperatorCertificates } from '../../db/repos/ecosystems/participant-certificates.ts'
import { findAssignments } from '../../db/repos/ecosystems/participants.ts'
import { presentParticipantCertificate } from '../ecosystems/participants/certificate-routes.ts'
import { NewParticipantCertificate } from '../ecosystems/participants/certificate-schemas.ts'
import { Assignment } from '../ecosystems/participants/schemas.ts'
import type { KindDefinition, Reading } from './kind.ts'
import { type Content, changedFields } from './members.ts'
import {
  changedItems,
  changeItems,
  isOfItems,
  itemLists,
  repeatedItems,
  roles,
  withoutItems,
  withSortedItems,
} from './participant-items.ts'

const ofRole = z
  .object({
    credentialTypes: z.array(Assignment.shape.credentialId).default([]),
    certificates: z.array(NewParticipantCertificate).default([]),
  })
  .default({ credentialTypes: [], certificates: [] })

/** Participants, with their assigned types and their certificates in each role. */
export const participantKind: KindDefinition = {
  name: 'participant',
  path: '/v1/ecosystems/:ecosystemId/participants',
  parent: { kind: 'ecosystem', param: 'ecosystemId' },
  nameOf: ({ name }) => name,
  references: Object.fromEntries(roles.map((role) => [`${role}.credentialTypes.*`, 'credential type'])),
  members: {
    schemas: Object.fromEntries(roles.map((role) => [role, ofRole])),
    paths: itemLists.map(({ path }) => path),
    deletedWith: itemLists.filter(({ idMember }) => !idMember).map(({ at }) => at),
    repeatedItems,
  },
  membersOf: withSortedItems,
  override: ({ read, create, update }) => ({
    read: async (reading, ownerId) => addItems(reading, await read(reading, ownerId)),
    changesBetween: (before, after) => [
      ...changedFields(withoutItems(before), withoutItems(after)),
      ...changedItems(before, after),
    ],
    async create(executing, file) {
      const id = await create(executing, file)
      await changeItems(executing, file, id, {})
      return id
    },
    async update(executing, file, stored, fields) {
      const view = withoutItems(stored.view)
      // A change of items only is no change of the participant.
      if (!fields.every(({ path }) => isOfItems(path))) await update(executing, file, { ...stored, view }, fields)
      await changeItems(executing, file, stored.id, stored.view)
    },
  }),
}

/** Adds the ids of the assigned types, and the certificates as REST shows them, to the views of participants. */
async function addItems({ db, tenantId }: Reading, views: readonly Content[]): Promise<Content[]> {
  const ids = views.map(({ id }) => String(id))
  if (ids.length === 0) return []
  const assignments = await findAssignments(db, tenantId, ids)
  const typesOf = Map.groupBy(assignments, ({ participantId, role }) => `${participantId} ${role}`)
  const complete: Content[] = views.map((view) => ({ ...view }))
  for (const role of roles) {
    const certificates = await findOperatorCertificates(db, tenantId, ids, role)
    const certificatesOf = Map.groupBy(certificates, ({ participantId }) => participantId)
    for (const view of complete) {
      const id = String(view.id)
      view[role] = {
        credentialTypes: (typesOf.get(`${id} ${role}`) ?? []).map(({ credentialTypeId }) => credentialTypeId),
        certificates: (certificatesOf.get(id) ?? []).map(presentParticipantCertificate),
      }
    }
  }
  return complete
}
