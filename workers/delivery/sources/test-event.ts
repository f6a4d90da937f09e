import type { EventSource } from './source.ts'

const nilId = '00000000-0000-0000-0000-000000000000'

/** Shaped like the others, about nobody: nil ids, and a member that no other event has. */
export const testEvent: EventSource = {
  async payloadOf(_from, { kind }) {
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
