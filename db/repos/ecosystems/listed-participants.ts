import { setImmediate } from 'node:timers/promises'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Reader } from '../../client.ts'
import type { ParticipantRole } from '../../tables/ecosystems/participants.ts'
import { findCredentialTypes } from './credential-types.ts'
import {
  findListedCertificates,
  findPolicyCertificates,
  type ParticipantCertificateRow,
  type PublishedQuery,
} from './participant-certificates.ts'
import { findAssignments, type ParticipantRow, participantPages } from './participants.ts'

export interface ParticipantQuery {
  tenantId: string
  ecosystemId: string
  role: ParticipantRole
  at: Date
}

/** A participant with published certificates. Each certificate is for some types of mobile credentials. */
export interface PublishedParticipant<Certificate> {
  id: string
  name: string
  certificates: (Certificate & { docTypes: string[] })[]
}

type Row = ParticipantCertificateRow
export type ListedParticipant = PublishedParticipant<Pick<Row, 'fingerprint' | 'ski' | 'entry'>>
export type PolicyParticipant = PublishedParticipant<Pick<Row, 'id' | 'fingerprint' | 'certificatePem'>>

/**
 * Returns the participants that a trusted list contains, in a stable order: active ones in a role with active and valid
 * certificates, and their assigned types of mobile credentials. The caller holds the ecosystem, or compares its
 * revision before and after, to read a consistent state. Throws `conflict` if the result exceeds 64 MB.
 */
export function findListedParticipants(db: Reader, query: ParticipantQuery): Promise<ListedParticipant[]> {
  return collect(db, query, findListedCertificates, ({ entry }) => entry.length)
}

/** Returns the participants that a policy contains, under the same conditions. */
export function findPolicyParticipants(db: Reader, query: ParticipantQuery): Promise<PolicyParticipant[]> {
  return collect(db, query, findPolicyCertificates, ({ certificatePem }) => certificatePem.length)
}

type Found = Pick<Row, 'id' | 'participantId' | 'docTypes'>
type Find<Certificate> = (db: Reader, tenantId: string, query: PublishedQuery) => Promise<Certificate[]>

/** The result and what is built from it are held in memory. */
const maxBytes = 64_000_000
/** The size of a certificate's other data in a list or a policy is smaller than this. */
const overheadBytes = 300

async function collect<Certificate extends Found>(
  db: Reader,
  query: ParticipantQuery,
  find: Find<Certificate>,
  sizeOf: (certificate: Certificate) => number,
): Promise<PublishedParticipant<Certificate>[]> {
  const all: PublishedParticipant<Certificate>[] = []
  let size = 0
  for await (const participant of participantsOf(db, query, find)) {
    for (const certificate of participant.certificates) {
      size += overheadBytes + sizeOf(certificate)
      for (const { length } of certificate.docTypes) size += length
    }
    if (size > maxBytes) {
      throw new Problem('conflict', {
        message: 'The certificates to publish exceed 64 MB. Deactivate some of them first.',
      })
    }
    all.push(participant)
  }
  return all
}

async function* participantsOf<Certificate extends Found>(
  db: Reader,
  { tenantId, ecosystemId, role, at }: ParticipantQuery,
  find: Find<Certificate>,
): AsyncGenerator<PublishedParticipant<Certificate>> {
  const mobile = (await findCredentialTypes(db, tenantId, ecosystemId)).filter(({ profile }) => profile === 'mobile')
  for await (const participants of participantPages(db, tenantId, ecosystemId)) {
    // Lets other work of the process run between the pages, because queries on SQLite do not yield.
    await setImmediate()
    const active = participants.filter((each) => mayBePublished(each, role))
    const participantIds = active.map(({ id }) => id)
    const assignments = (await findAssignments(db, tenantId, participantIds)).filter((each) => each.role === role)
    const assigned = Map.groupBy(assignments, ({ participantId }) => participantId)
    const certificates = await find(db, tenantId, { participantIds, role, at })
    const held = Map.groupBy(certificates, ({ participantId }) => participantId)
    for (const { id, name } of active) {
      const typeIds = new Set(assigned.get(id)?.map(({ credentialTypeId }) => credentialTypeId))
      const types = mobile.filter((type) => typeIds.has(type.id)).map(({ type }) => type)
      const published = inOrder(held.get(id) ?? [])
        .map((each) => ({ ...each, docTypes: each.docTypes?.filter((type) => types.includes(type)) ?? types }))
        .filter(({ docTypes }) => docTypes.length > 0)
      if (published.length > 0) yield { id, name, certificates: published }
    }
  }
}

/** Sorts by creation time, which the ids contain. SQLite would sort whole rows. */
function inOrder<Certificate extends Found>(certificates: Certificate[]): Certificate[] {
  return certificates.sort((one, other) => (one.id < other.id ? -1 : 1))
}

function mayBePublished({ status, isIssuer, isVerifier }: ParticipantRow, role: ParticipantRole): boolean {
  return status === 'Active' && (role === 'issuer' ? isIssuer : isVerifier)
}
