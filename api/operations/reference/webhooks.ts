import { z } from 'zod'
import { webhookEventKinds } from '../../../shared/domain/operations/webhook-events.ts'
import { described, exampleId, idOf, Timestamp } from '../../http/fields.ts'
import type { WebhookDescription } from '../../http/openapi-webhooks.ts'
import { CredentialProfileSchema, exampleCwt } from '../../status/credential-schemas.ts'

const issued = {
  test: z
    .literal(true)
    .optional()
    .describe('Only of a test event, which is about nobody: nil ids, and `test` for words'),
  format: described(z.string(), 'The format of the credential', 'cwt'),
  userId: idOf('user').describe('To whom it was issued'),
  credentialProfile: described(z.union([CredentialProfileSchema, z.literal('test')]), 'Its profile', 'compact'),
  credentialConfigurationId: idOf('compact configuration').describe('What it was made by'),
  credentialId: idOf('credential'),
  credentialOfferId: idOf('offer').nullable().describe('The offer that it was issued for; null where there was none'),
  sessionId: idOf('session').describe('The access token that it was collected with'),
}

const payloads = {
  OpenIdCredentialIssued: z.object({
    ...issued,
    credential: described(
      z.union([z.string(), z.record(z.string(), z.unknown())]),
      'The credential: an object where it is JSON-LD, a string otherwise',
      exampleCwt('compact'),
    ),
  }),
  OpenIdCredentialIssuedSummary: z.object(issued),
}

const bodyOf = (kind: keyof typeof payloads) =>
  z.object({
    deliveryId: idOf('attempt').describe('Of this attempt'),
    deliveryTimestamp: Timestamp.describe('When it was sent'),
    webhookId: idOf('webhook').describe('The webhook that it is sent to'),
    event: z
      .object({
        id: idOf('event of a webhook').describe('The same in every attempt: receivers tell repetitions by it'),
        type: z.literal(kind).describe('What happened'),
        timestamp: Timestamp.describe('When it happened'),
        payload: payloads[kind].describe('What it was about'),
      })
      .describe('What happened'),
  })

const headers = z.object({
  'webhook-id': z
    .string()
    .describe('`event.id` (Standard Webhooks)')
    .meta({ examples: [exampleId('event of a webhook')] }),
  'webhook-timestamp': z
    .string()
    .describe('When it was sent, in seconds since 1970')
    .meta({ examples: ['1795339800'] }),
  'x-mattr-webhook-id': z.string().describe('`webhookId`'),
  'x-mattr-event-type': z.string().describe('`event.type`'),
  'content-digest': z.string().describe('SHA-256 of the body (RFC 9530): `sha-256=:…:`'),
  'signature-input': z
    .string()
    .describe(
      'What is signed (RFC 9421, section 4.1), under the label `sig1`: `"@request-target" "@method" "@authority" "content-digest"` and ' +
        'every other header of this list but the signature, with `created`, `keyid` and `alg="ed25519"`',
    ),
  signature: z.string().describe('The signature (RFC 9421, section 4.2); its keys are at `GET /v1/webhooks/jwks`'),
})

const summaries: Record<keyof typeof payloads, string> = {
  OpenIdCredentialIssued: 'A credential was issued; it is in the body',
  OpenIdCredentialIssuedSummary: 'A credential was issued; the body names it',
}

/** What webhooks are sent (workers/delivery), for the reference. */
export const documentedWebhooks: WebhookDescription[] = webhookEventKinds.map((event) => ({
  event,
  tag: 'Webhooks',
  summary: summaries[event],
  description:
    'Sent to every webhook that asks for this kind, at least once and in no promised order; an answer is waited for 3 seconds. ' +
    'Repeated after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h and 12 h, each a little more or less.',
  name: `${event}Delivery`,
  headers,
  body: bodyOf(event),
  answers: {
    '2XX': 'It has arrived',
    410: 'The webhook is disabled: nothing more is sent to it',
    429: 'It is sent again later; `Retry-After` is honoured within bounds',
    default: 'It is sent again later; redirects are not followed',
  },
}))
