import type { EventSource } from './source.ts'

const nilId = '00000000-0000-0000-0000-000000000000'

/** A test event has the shape of the other events, nil ids, and the member `test`. */
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
