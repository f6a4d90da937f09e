import { findChangeMembers } from '../../../shared/domain/operations/change-events.ts'
import type { EventSource } from './source.ts'

const nilId = '00000000-0000-0000-0000-000000000000'

/** A test event has the shape of its kind, nil ids, and the member `test`. */
export const testEvent: EventSource = {
  async payloadOf(_from, { kind }) {
    if (kind === 'AuditCheckpointSigned') return { test: true, size: 0, checkpoint: 'test' }
    if (kind === 'BulkIssuanceCompleted')
      return { test: true, id: nilId, total: 0, valid: 0, invalid: 0, done: 0, failed: 0 }
    const members = findChangeMembers(kind)
    if (members)
      return { test: true, ...Object.fromEntries(members.map((name) => [name, name.endsWith('Id') ? nilId : 'test'])) }
    return {
      test: true,
      format: 'test',
      userId: nilId,
      credentialProfile: 'test',
      credentialConfigurationId: nilId,
      credentialId: nilId,
      credentialOfferId: nilId,
      sessionId: nilId,
      ...(kind === 'OpenIdCredentialIssued' ? { credential: 'test' } : {}),
    }
  },
}
