import { z } from 'zod'
import type { ChangeKind } from '../../../shared/domain/operations/change-events.ts'
import { webhookEventKinds } from '../../../shared/domain/operations/webhook-events.ts'
import { described, exampleId, idOf, Timestamp } from '../../http/fields.ts'
import type { WebhookDescription } from '../../http/openapi-webhooks.ts'
import { CredentialProfileSchema, exampleCwt } from '../../status/credential-schemas.ts'

const issued = {
  test: z.literal(true).optional().describe('Only in a test event. Its ids are nil and its texts are `test`'),
  format: described(z.string(), 'The format of the credential', 'cwt'),
  userId: idOf('user').describe('The user who received it'),
  credentialProfile: described(
    z.union([CredentialProfileSchema, z.literal('test')]),
    'The profile of the credential',
    'compact',
  ),
  credentialConfigurationId: idOf('compact configuration').describe('The configuration of the credential'),
  credentialId: idOf('credential'),
  credentialOfferId: idOf('offer').nullable().describe('The offer of the issuance. Null if there was none'),
  sessionId: idOf('session').describe('The session of the wallet'),
  view: idOf('view')
    .optional()
    .describe('The view through which the wallet collected it. Absent: the issuer of the tenant itself'),
}

const exampleCheckpoint =
  'university.issuer.example.org/v1/audit\n128\nYH+SZAVXGrwJC3QGVRVUEIyLuMjy1DfTxbKDOV85s0M=\n\n' +
  '— university.issuer.example.org/v1/audit 3q2+78r+ur4=\n'

const isTest = z.literal(true).optional().describe('Only in a test event. Its ids are nil and its texts are `test`')

const changes = {
  CredentialRevoked: z.object({ test: isTest, credentialId: idOf('credential') }),
  CredentialStatusChanged: z.object({
    test: isTest,
    credentialId: idOf('credential'),
    status: described(z.string(), 'The new status: `valid`, `invalid` or `suspended`', 'suspended'),
  }),
  PublicationFailed: z.object({
    test: isTest,
    ecosystemId: idOf('ecosystem'),
    list: described(
      z.string(),
      'The list that was not published: `VICAL`, `RICAL`, or the type of a list of trusted entities',
      'VICAL',
    ),
  }),
  WebhookDisabled: z.object({
    test: isTest,
    disabledWebhookId: idOf('webhook'),
    reason: described(
      z.string(),
      '`gone`: the receiver answered 410. `failing`: all deliveries failed for five days. `operator`: a client or a user disabled it',
      'failing',
    ),
  }),
  KeyRotated: z.object({
    test: isTest,
    keyId: described(z.string(), 'The id of the new key, or of the first one if there are several', exampleId('key')),
    use: described(z.string(), 'The use of the key, as in `POST /v1/{use}/keys/rotate`', 'webhooks'),
  }),
  UserErased: z.object({ test: isTest, userId: idOf('user'), erasureId: idOf('erasure') }),
  OfferExpired: z.object({ test: isTest, credentialOfferId: idOf('offer') }),
  OfferFailed: z.object({
    test: isTest,
    credentialOfferId: idOf('offer'),
    check: described(
      z.string(),
      'The check that refused the request, as in `GET /v1/openid/offers/{id}/timeline`, which also has the reason',
      'claims',
    ),
  }),
  CertificateEnding: z.object({
    test: isTest,
    certificateId: idOf('certificate'),
    endsAt: described(z.string(), 'The end of the certificate', '2026-12-06T10:00:00.000Z'),
  }),
  ApprovalChanged: z.object({
    test: isTest,
    approvalId: idOf('approval'),
    state: described(z.string(), '`waiting`, `approved`, `executed`, `rejected` or `expired`', 'waiting'),
  }),
} satisfies Record<ChangeKind, z.ZodObject>

const payloads = {
  ...changes,
  OpenIdCredentialIssued: z.object({
    ...issued,
    credential: described(
      z.union([z.string(), z.record(z.string(), z.unknown())]),
      'The credential: an object for JSON-LD, otherwise a string',
      exampleCwt('compact'),
    ),
  }),
  OpenIdCredentialIssuedSummary: z.object(issued),
  AuditCheckpointSigned: z.object({
    test: z.literal(true).optional().describe('Only in a test event. Its size is 0 and its text is `test`'),
    size: described(z.int(), 'The number of entries that the checkpoint covers', 128),
    checkpoint: described(
      z.string(),
      'The checkpoint (C2SP tlog-checkpoint), as `GET /v1/audit/checkpoint` returns it. `GET /v1/audit/jwks` has its keys',
      exampleCheckpoint,
    ),
  }),
  BulkIssuanceCompleted: z.object({
    test: z.literal(true).optional().describe('Only in a test event. Its id is nil and its counts are 0'),
    id: idOf('bulk issuance'),
    total: described(z.int(), 'The rows of the file', 20),
    valid: described(z.int(), 'The rows that could be issued', 19),
    invalid: described(z.int(), 'The rows with an error', 1),
    done: described(z.int(), 'The rows that have a credential', 19),
    failed: described(z.int(), 'The rows that could not be signed', 0),
  }),
}

const bodyOf = (kind: keyof typeof payloads) =>
  z.object({
    deliveryId: idOf('attempt').describe('The id of this attempt'),
    deliveryTimestamp: Timestamp.describe('The time of this attempt'),
    webhookId: idOf('webhook').describe('The receiving webhook'),
    event: z
      .object({
        id: idOf('event of a webhook').describe('The same in every attempt, so that receivers can detect repetitions'),
        type: z.literal(kind).describe('The type of the event'),
        timestamp: Timestamp.describe('The time of the event'),
        payload: payloads[kind].describe('The data of the event'),
      })
      .describe('The event'),
  })

const headers = z.object({
  'webhook-id': z
    .string()
    .describe('`event.id` (Standard Webhooks)')
    .meta({ examples: [exampleId('event of a webhook')] }),
  'webhook-timestamp': z
    .string()
    .describe('The time of this attempt, in seconds since 1970')
    .meta({ examples: ['1795339800'] }),
  'x-mattr-webhook-id': z.string().describe('`webhookId`'),
  'x-mattr-event-type': z.string().describe('`event.type`'),
  'content-digest': z.string().describe('SHA-256 of the body (RFC 9530): `sha-256=:…:`'),
  'signature-input': z
    .string()
    .describe(
      'The signed components (RFC 9421, section 4.1), with the label `sig1`: `"@request-target" "@method" "@authority" "content-digest"` and ' +
        'every other header of this list except the signature, with `created`, `keyid` and `alg="ed25519"`',
    ),
  signature: z.string().describe('The signature (RFC 9421, section 4.2). `GET /v1/webhooks/jwks` has the keys'),
})

const summaries: Record<keyof typeof payloads, string> = {
  OpenIdCredentialIssued: 'A credential was issued. The body contains it',
  OpenIdCredentialIssuedSummary: 'A credential was issued. The body contains its id',
  AuditCheckpointSigned: 'A checkpoint of the audit was signed. The body contains it',
  BulkIssuanceCompleted: 'The last row of a bulk issuance was issued. The body contains the counts',
  CredentialRevoked: 'A credential was revoked',
  CredentialStatusChanged: 'The status of a credential changed: revoked, suspended, or valid again',
  PublicationFailed: 'The automatic publication of a trusted list failed. Sent once for each new reason',
  WebhookDisabled: 'Another webhook was disabled by the service or by an operator',
  KeyRotated: 'Keys of the tenant were replaced',
  OfferExpired: 'An offer expired before a wallet took it',
  OfferFailed: 'A request of a wallet for an offer failed, and no later request made progress',
  CertificateEnding: 'A certificate in use ends in 14 days, and again in 3 days',
  ApprovalChanged: 'A request waits for an approval, or was approved, executed, rejected or not decided in time',
  UserErased: 'A user was erased. All credentials of the user are revoked, without further events',
}

/** The requests to webhooks (workers/delivery), for the reference. */
export const documentedWebhooks: WebhookDescription[] = webhookEventKinds.map((event) => ({
  event,
  tag: 'Webhooks',
  summary: summaries[event],
  description:
    'Sent at least once to every webhook with this event type, in no guaranteed order. The timeout is 3 seconds. ' +
    'Failed attempts are repeated after about 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h and 12 h.',
  name: `${event}Delivery`,
  headers,
  body: bodyOf(event),
  answers: {
    '2XX': 'The delivery succeeded',
    410: 'The service disables the webhook',
    429: 'The service repeats the request later. It respects `Retry-After` within limits',
    default: 'The service repeats the request later. It does not follow redirects',
  },
}))
