import { plusMs } from '../../../shared/clock.ts'
import type { Writer } from '../../client.ts'
import type { ParticipantRole } from '../../tables/ecosystems/participants.ts'
import type { PolicyParticipant } from './listed-participants.ts'
import { findPolicy, insertPolicy, type PolicyRow } from './policies.ts'

interface Publication extends Pick<PolicyRow, 'id' | 'tenantId' | 'ecosystemId' | 'listId'> {
  role: ParticipantRole
  participants: readonly PolicyParticipant[]
  at: Date
}

/**
 * Publishes a policy of a role, in a transaction that holds the ecosystem, and returns its JSON. The publication time
 * is always after the previous one, whatever the clock says, so that the last policy is the latest.
 */
export async function publishParticipantPolicy(
  tx: Writer,
  { id, tenantId, ecosystemId, listId, role, participants, at }: Publication,
): Promise<Buffer> {
  const last = await findPolicy(tx, tenantId, ecosystemId, role, 'latest')
  const publishedAt = last && last.publishedAt >= at ? plusMs(last.publishedAt, 1) : at
  const content = writeParticipantPolicy(role, participants, { id, publishedAt })
  await insertPolicy(tx, { id, tenantId, ecosystemId, kind: role, content, listId, publishedAt })
  return content
}

/** Returns the JSON of a policy, or of a preview if `published` is absent. */
export function writeParticipantPolicy(
  role: ParticipantRole,
  participants: readonly PolicyParticipant[],
  published?: Pick<PolicyRow, 'id' | 'publishedAt'>,
): Buffer {
  const head = JSON.stringify({ ...published, participants: [] })
  // One by one, because the whole JSON might exceed the maximum string length.
  const written = participants.map((each, at) => Buffer.from((at > 0 ? ',' : '') + JSON.stringify(present(role, each))))
  return Buffer.concat([Buffer.from(head.slice(0, -2)), ...written, Buffer.from(']}')])
}

function present(role: ParticipantRole, { id, name, certificates }: PolicyParticipant) {
  return {
    id,
    name,
    [`${role}Certificates`]: certificates.map(({ id, certificatePem, fingerprint, docTypes }) => ({
      id,
      certificatePem,
      certificateFingerprint: fingerprint,
      docTypes,
    })),
  }
}
