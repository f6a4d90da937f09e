import {
  deleteParticipantCertificate,
  findParticipantCertificate,
  insertParticipantCertificate,
  listParticipantCertificates,
  type ParticipantCertificateRow,
  updateParticipantCertificate,
} from '../../../db/repos/ecosystems/participant-certificates.ts'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { createAudited, removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import type { Versioned } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import type { Route } from '../../http/route.ts'
import { providerAccess, readerAccess } from '../ecosystems/access.ts'
import { enforceEcosystemQuota, getEcosystem, lockEcosystem } from '../ecosystems/get-ecosystem.ts'
import { certificateContent } from './certificate-content.ts'
import {
  NewParticipantCertificate,
  ParticipantCertificateUpdate,
  participantCertificateView,
} from './certificate-schemas.ts'
import { getParticipant, ParticipantParams } from './get-participant.ts'
import { readIdentifierCertificates } from './identifier-certificates.ts'

type Certificates = Versioned<ParticipantCertificateRow, typeof ParticipantParams>

export const certificateRoutes = [...certificatesOf('issuer', 'Issuer'), ...certificatesOf('verifier', 'Verifier')]

function certificatesOf(role: ParticipantRole, word: string): Route[] {
  const certificates: Certificates = {
    tag: 'Ecosystems',
    access: providerAccess,
    path: `/v1/ecosystems/:ecosystemId/participants/:participantId/${role}-certificates`,
    within: ParticipantParams,
    id: 'certificateId',
    events: `ECOSYSTEM_PARTICIPANT_${role.toUpperCase()}_CERTIFICATE`,
    view: participantCertificateView(role),
    hasVersions: true,
    present: presentParticipantCertificate,
  }
  return [...readingOf({ ...certificates, access: readerAccess }, role, word), ...writingOf(certificates, role, word)]
}

function readingOf(certificates: Certificates, role: ParticipantRole, word: string): Route[] {
  return [
    listOf(certificates, {
      operation: `retrieveParticipant${word}Certificates`,
      summary: `List the certificates of a participant as ${role}, without the certificates among its identifiers`,
      problems: ['not_found'],
      async rows({ tenantId, params, query, deps }) {
        await getEcosystem(deps.db.read, tenantId, params.ecosystemId)
        await getParticipant(deps.db.read, tenantId, params.ecosystemId, params.participantId)
        return listParticipantCertificates(deps.db.read, tenantId, { ...params, role }, query)
      },
    }),
    retrieve(certificates, {
      operation: `retrieveParticipant${word}Certificate`,
      summary: `Retrieve a certificate of a participant as ${role}`,
      async find({ tenantId, params, id, deps }) {
        await getEcosystem(deps.db.read, tenantId, params.ecosystemId)
        await getParticipant(deps.db.read, tenantId, params.ecosystemId, params.participantId)
        return findParticipantCertificate(deps.db.read, tenantId, { ...params, role }, id)
      },
    }),
  ]
}

function writingOf(certificates: Certificates, role: ParticipantRole, word: string): Route[] {
  return [
    createAudited(certificates, {
      operation: `createParticipant${word}Certificate`,
      summary: `Add a certificate of a participant as ${role}`,
      body: NewParticipantCertificate,
      problems: ['not_found', 'conflict'],
      async handle({ tenant, tenantId, params, body: { certificatePem, docTypes, active }, deps, change }) {
        const { ecosystemId, participantId } = params
        const createdAt = deps.clock.now()
        const content = certificateContent(certificatePem, role, 'certificatePem')
        const row = { id: newOrderedId(createdAt), tenantId, ecosystemId, participantId, ...content, docTypes, active }
        return change(async (tx, record) => {
          await lockEcosystem(tx, tenantId, ecosystemId, createdAt)
          await getParticipant(tx, tenantId, ecosystemId, participantId)
          const added = { ...row, source: 'operator' as const, createdAt }
          if (!(await insertParticipantCertificate(tx, added)))
            throw new Problem('conflict', { message: 'The participant already has this certificate' })
          await enforceEcosystemQuota(tx, tenant, ecosystemId, 'participantCertificates', 0)
          record(tenantId, { id: row.id, ecosystemId, participantId, fingerprint: row.fingerprint })
          return added
        })
      },
    }),
    replaceAudited(certificates, {
      operation: `updateParticipant${word}Certificate`,
      summary: `Update the document types and the state of a certificate of a participant as ${role}`,
      body: ParticipantCertificateUpdate,
      async handle({ tenantId, params, id, body: { docTypes, active }, deps, change, requireMatch }) {
        const { ecosystemId, participantId } = params
        return change(async (tx, record) => {
          await lockEcosystem(tx, tenantId, ecosystemId, deps.clock.now())
          await getParticipant(tx, tenantId, ecosystemId, participantId)
          const holder = { ...params, role }
          const before = await findParticipantCertificate(tx, tenantId, holder, id)
          if (!before) throw notFound('certificateId', id)
          await requireMatch(before)
          await updateParticipantCertificate(tx, tenantId, holder, id, { docTypes, active })
          const after = { ...before, docTypes, active }
          record(tenantId, { id, ecosystemId, participantId, changed: changedFieldNames(before, after) })
          return after
        })
      },
    }),
    removeAudited(certificates, {
      operation: `deleteParticipant${word}Certificate`,
      summary: `Delete a certificate of a participant as ${role}. If it is also among its identifiers, it stays as an identifier.`,
      async remove(tx, { tenant, tenantId, params, id, deps }) {
        const at = deps.clock.now()
        await lockEcosystem(tx, tenantId, params.ecosystemId, at)
        const participant = await getParticipant(tx, tenantId, params.ecosystemId, params.participantId)
        if (!(await deleteParticipantCertificate(tx, tenantId, { ...params, role }, id))) return false
        await readIdentifierCertificates(tenant, participant, at)(tx)
        return true
      },
    }),
  ]
}

export function presentParticipantCertificate(row: ParticipantCertificateRow) {
  const { id, certificatePem, fingerprint, subject, notBefore, notAfter, docTypes, active } = row
  return {
    id,
    certificatePem,
    certificateFingerprint: fingerprint,
    certificateData: { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString(), ...subject },
    ...(docTypes && { docTypes }),
    active,
  }
}
