import type { DeliveryToSend } from '../../db/repos/operations/deliveries.ts'
import type { IssuedCredential } from '../../db/tables/issuance/issuances.ts'
import type { WebhookEventKind } from '../../db/tables/operations/webhooks.ts'

const nilId = '00000000-0000-0000-0000-000000000000'

export interface WebhookEvent {
  id: string
  type: WebhookEventKind
  timestamp: string
  payload: Record<string, unknown>
}

/** What a webhook is told. Undefined when the credential's record was erased meanwhile: then there is nothing to tell. */
export function eventOf({ delivery, credential, issued }: DeliveryToSend): WebhookEvent | undefined {
  const { eventId: id, kind: type, credentialId, eventAt } = delivery
  const event = { id, type, timestamp: eventAt.toISOString() }
  if (credentialId === null) return { ...event, payload: testPayload(type === 'OpenIdCredentialIssued') }
  const content = issued?.find((each) => each.id === credentialId)
  if (!credential || !content) return undefined
  return { ...event, payload: payloadOf(credentialId, credential, content, type === 'OpenIdCredentialIssued') }
}

function payloadOf(
  credentialId: string,
  credential: NonNullable<DeliveryToSend['credential']>,
  { format, credential: signed }: IssuedCredential,
  withCredential: boolean,
) {
  return {
    format,
    userId: credential.userId,
    credentialProfile: credential.profile,
    credentialConfigurationId: credential.configurationId,
    credentialId,
    credentialOfferId: credential.offerId,
    sessionId: credential.sessionId,
    ...(withCredential ? { credential: signed } : {}),
  }
}

/** Shaped like the others, about nobody: nil ids, and a member that no other event has. */
function testPayload(withCredential: boolean) {
  return {
    test: true,
    format: 'test',
    userId: nilId,
    credentialProfile: 'test',
    credentialConfigurationId: nilId,
    credentialId: nilId,
    credentialOfferId: nilId,
    sessionId: nilId,
    ...(withCredential ? { credential: 'test' } : {}),
  }
}
