import type { Writer } from '../../../db/client.ts'
import type { Cursor } from '../../../db/page.ts'
import { findCredentialTypes } from '../../../db/repos/ecosystems/credential-types.ts'
import { findListedCertificates } from '../../../db/repos/ecosystems/participant-certificates.ts'
import { findAssignments, listParticipants, type ParticipantRow } from '../../../db/repos/ecosystems/participants.ts'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { Problem } from '../../../shared/errors.ts'
import { ricalEntry, vicalEntry } from '../../../shared/formats/trusted-lists/build-list.ts'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'

interface Asked {
  tenantId: string
  ecosystemId: string
  kind: TrustedListKind
  at: Date
}

interface Listed {
  stored: Buffer
  name: string
  docTypes: Set<string>
}

/** A list is held in memory whole, here and by those who read it. */
const mostBytes = 64_000_000

/**
 * The entries of a list, of stored bytes: certificates that are active and valid, of active participants to whom types of mobile
 * credentials are assigned, for those types. A certificate that several participants have is there once, for the types of all.
 * Throws `conflict` where the list would be larger than 64 MB.
 */
export async function entriesOf(tx: Writer, asked: Asked): Promise<Buffer[]> {
  const listed = new Map<string, Listed>()
  let size = 0
  for await (const { participant, certificate, docTypes } of certificatesOf(tx, asked)) {
    const { fingerprint, entry: stored } = certificate
    const known = listed.get(fingerprint) ?? { stored, name: participant.name, docTypes: new Set<string>() }
    size += stored.length + docTypes.reduce((sum, type) => sum + type.length, 0)
    if (size > mostBytes) throw new Problem('conflict', { message: 'The list would be larger than 64 MB' })
    for (const type of docTypes) known.docTypes.add(type)
    listed.set(fingerprint, known)
  }
  return [...listed.values()].map(({ stored, name, docTypes }) =>
    asked.kind === 'vical' ? vicalEntry(stored, [...docTypes]) : ricalEntry(stored, name),
  )
}

async function* certificatesOf(tx: Writer, { tenantId, ecosystemId, kind, at }: Asked) {
  const role: ParticipantRole = kind === 'vical' ? 'issuer' : 'verifier'
  const mobile = (await findCredentialTypes(tx, tenantId, ecosystemId)).filter(({ profile }) => profile === 'mobile')
  for await (const participants of portionsOf(tx, { tenantId, ecosystemId })) {
    const active = new Map(participants.filter((each) => mayBeListed(each, role)).map((each) => [each.id, each]))
    const ids = [...active.keys()]
    const assignments = (await findAssignments(tx, tenantId, ids)).filter((each) => each.role === role)
    const assigned = Map.groupBy(assignments, ({ participantId }) => participantId)
    for (const certificate of await findListedCertificates(tx, tenantId, ids, role, at)) {
      const participant = active.get(certificate.participantId)
      const typeIds = new Set(assigned.get(certificate.participantId)?.map(({ credentialTypeId }) => credentialTypeId))
      const types = mobile.filter(({ id }) => typeIds.has(id)).map(({ type }) => type)
      const docTypes = certificate.docTypes?.filter((type) => types.includes(type)) ?? types
      if (participant && docTypes.length > 0) yield { participant, certificate, docTypes }
    }
  }
}

/** Participants that are read at a time. */
const portion = 200

async function* portionsOf(tx: Writer, { tenantId, ecosystemId }: Pick<Asked, 'tenantId' | 'ecosystemId'>) {
  for (let cursor: Cursor | undefined; ; ) {
    const found = await listParticipants(tx, tenantId, ecosystemId, portion, cursor)
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
