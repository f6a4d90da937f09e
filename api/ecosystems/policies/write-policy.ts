import type { Reader } from '../../../db/client.ts'
import { findCredentialTypes } from '../../../db/repos/ecosystems/credential-types.ts'
import type { EcosystemRow } from '../../../db/repos/ecosystems/ecosystems.ts'
import {
  type AssignmentRow,
  findAssignments,
  type ParticipantRow,
  participantPages,
} from '../../../db/repos/ecosystems/participants.ts'
import { Problem } from '../../../shared/errors/errors.ts'

const maxBytes = 32_000_000

/**
 * Writes the current general policy of an ecosystem in JSON: its types, its participants and their assignments. The policy is
 * public, so that it has no contacts. Throws `conflict` if it is larger than 32 MB.
 */
export async function writePolicy(
  db: Reader,
  { tenantId, id, policyModifiedAt }: EcosystemRow,
  publishedAt?: Date,
): Promise<Buffer> {
  const types = (await findCredentialTypes(db, tenantId, id)).map(({ id, profile, type, name }) => [
    id,
    { profile, type, name },
  ])
  const head = JSON.stringify({
    policyModifiedAt: policyModifiedAt.toISOString(),
    ...(publishedAt && { policyPublishedAt: publishedAt.toISOString() }),
    credentials: Object.fromEntries(types),
  })
  const written = await writeParticipants(db, tenantId, id)
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"participants":{`), ...written, Buffer.from('}}')])
}

async function writeParticipants(db: Reader, tenantId: string, ecosystemId: string): Promise<Buffer[]> {
  const written: Buffer[] = []
  let size = 0
  for await (const page of participantPages(db, tenantId, ecosystemId)) {
    const assigned = await findAssignments(
      db,
      tenantId,
      page.map(({ id }) => id),
    )
    const byParticipant = Map.groupBy(assigned, ({ participantId }) => participantId)
    const members = page.map(
      (row) => `${JSON.stringify(row.id)}:${JSON.stringify(present(row, byParticipant.get(row.id)))}`,
    )
    const part = Buffer.from(`${written.length > 0 ? ',' : ''}${members.join(',')}`)
    size += part.length
    if (size > maxBytes)
      throw new Problem('conflict', { message: 'The policy is larger than 32 MB. Reduce the ecosystem.' })
    if (members.length > 0) written.push(part)
  }
  return written
}

type Assigned = Pick<AssignmentRow, 'role' | 'credentialTypeId'>

function present(
  { id, tenantId, ecosystemId, contacts, createdAt, country, stateOrProvince, ...row }: ParticipantRow,
  assigned: Assigned[] = [],
) {
  const typesOf = (role: AssignmentRow['role']) =>
    assigned.filter((each) => each.role === role).map(({ credentialTypeId }) => credentialTypeId)
  return {
    ...row,
    ...(country !== null && { country }),
    ...(stateOrProvince !== null && { stateOrProvince }),
    issuerCredentials: typesOf('issuer'),
    verifierCredentials: typesOf('verifier'),
  }
}
