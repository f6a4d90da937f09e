import { Problem } from '../shared/errors.ts'
import type { Reader } from './client.ts'
import type { Cursor } from './page.ts'
import { findCredentialTypes } from './repos/ecosystems/credential-types.ts'
import { findListedCertificates, type ParticipantCertificateRow } from './repos/ecosystems/participant-certificates.ts'
import { findAssignments, listParticipants, type ParticipantRow } from './repos/ecosystems/participants.ts'
import type { ParticipantRole } from './tables/ecosystems/participants.ts'

interface Asked {
  tenantId: string
  ecosystemId: string
  role: ParticipantRole
  at: Date
}

/** One who has certificates that are listed; each of them is for some types of mobile credentials. */
export interface ListedParticipant {
  id: string
  name: string
  certificates: ListedCertificate[]
}

export type ListedCertificate = Pick<
  ParticipantCertificateRow,
  'id' | 'certificatePem' | 'fingerprint' | 'ski' | 'entry'
> & { docTypes: string[] }

/** What is made of them is held in memory whole, here and by those who read it. */
const mostBytes = 64_000_000

/**
 * Whom trusted lists and policies of a role name, in a lasting order: active participants in the role, with their certificates
 * that are active and valid, for the types of mobile credentials that are assigned to them. The caller holds the ecosystem, so that
 * what one change has written is read whole. Throws `conflict` where it is more than 64 MB.
 */
export async function findListedParticipants(db: Reader, asked: Asked): Promise<ListedParticipant[]> {
  const listed: ListedParticipant[] = []
  let size = 0
  for await (const participant of participantsOf(db, asked)) {
    size += participant.certificates.reduce((sum, certificate) => sum + sizeOf(certificate), 0)
    if (size > mostBytes) {
      throw new Problem('conflict', { message: 'The certificates that would be published are more than 64 MB' })
    }
    listed.push(participant)
  }
  return listed
}

/** What stands around a certificate, in a list or a policy, is smaller than this. */
const spareBytes = 300

function sizeOf({ entry, certificatePem, docTypes }: ListedCertificate): number {
  const typesLength = docTypes.reduce((sum, type) => sum + type.length, 0)
  return Math.max(entry.length, certificatePem.length) + typesLength + spareBytes
}

async function* participantsOf(db: Reader, { tenantId, ecosystemId, role, at }: Asked) {
  const mobile = (await findCredentialTypes(db, tenantId, ecosystemId)).filter(({ profile }) => profile === 'mobile')
  for await (const participants of portionsOf(db, { tenantId, ecosystemId })) {
    const active = participants.filter((each) => mayBeListed(each, role))
    const ids = active.map(({ id }) => id)
    const assignments = (await findAssignments(db, tenantId, ids)).filter((each) => each.role === role)
    const assigned = Map.groupBy(assignments, ({ participantId }) => participantId)
    const certificates = await findListedCertificates(db, tenantId, ids, role, at)
    const held = Map.groupBy(certificates, ({ participantId }) => participantId)
    for (const { id, name } of active) {
      const typeIds = new Set(assigned.get(id)?.map(({ credentialTypeId }) => credentialTypeId))
      const types = mobile.filter((type) => typeIds.has(type.id)).map(({ type }) => type)
      const listed = (held.get(id) ?? [])
        .map((each) => ({ ...each, docTypes: each.docTypes?.filter((type) => types.includes(type)) ?? types }))
        .filter(({ docTypes }) => docTypes.length > 0)
      if (listed.length > 0) yield { id, name, certificates: listed }
    }
  }
}

/** Participants that are read at a time. */
const portion = 200

async function* portionsOf(db: Reader, { tenantId, ecosystemId }: Pick<Asked, 'tenantId' | 'ecosystemId'>) {
  for (let cursor: Cursor | undefined; ; ) {
    const found = await listParticipants(db, tenantId, ecosystemId, portion, cursor)
    const page = found.slice(0, portion)
    yield page
    const last = page.at(-1)
    if (!last || found.length <= portion) return
    cursor = { at: last.createdAt, id: last.id }
  }
}

function mayBeListed({ status, isIssuer, isVerifier }: ParticipantRow, role: ParticipantRole): boolean {
  return status === 'Active' && (role === 'issuer' ? isIssuer : isVerifier)
}
