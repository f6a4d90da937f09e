import { z } from 'zod'
import { webhookEventKinds } from '../../../shared/domain/operations/webhook-events.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { described, idOf, named, Timestamp } from '../../http/fields.ts'
import { CursorText, PageQuery } from '../../http/page.ts'
import { keySetOf } from '../key-sets.ts'

const EventKind = named(
  'WebhookEventKind',
  'The type of an event: what happened, and for issued credentials whether the body has the credential or only ids',
  z.enum(webhookEventKinds),
)
export const Events = described(
  z
    .array(EventKind)
    .min(1)
    .refine((events) => new Set(events).size === events.length, 'Must not repeat an event type'),
  'The event types that it receives',
  ['OpenIdCredentialIssuedSummary'],
)
const exampleUrl = 'https://hooks.example.org/credentials'
const urlWords = 'The URL that receives deliveries'

/** Accepts loopback, which is for development. The route checks the URL again with the configuration. */
const WebhookUrl = z.string().superRefine((url, ctx) => {
  const refusal = findUrlFault(url, { allowLoopback: true })
  if (refusal) ctx.addIssue({ code: 'custom', message: refusal })
})

export const NewWebhook = z.object({
  events: Events,
  url: described(WebhookUrl, `${urlWords}: https, without a query, an IP address or credentials`, exampleUrl),
})

export const WebhookUpdate = NewWebhook.extend({
  disabled: z.boolean().default(false).describe('Whether deliveries are disabled'),
})

export const WebhookView = z.object({
  id: idOf('webhook'),
  events: described(z.array(z.string()), 'The event types that it receives', ['OpenIdCredentialIssuedSummary']),
  url: described(z.string(), urlWords, exampleUrl),
  disabled: z.boolean().describe('Whether deliveries are disabled'),
})

export const WebhookKeySet = keySetOf('WebhookJwk', {
  signs: 'webhooks',
  kid: '`keyid` of `Signature-Input`',
  keys: 'The current key, and replaced keys whose signatures can still arrive',
})

const DeliveryStatus = named('DeliveryStatus', 'The state of a delivery', z.enum(['pending', 'delivered', 'failed']))

export const DeliveriesQuery = PageQuery.extend({
  status: DeliveryStatus.optional().describe('Only deliveries with this status'),
  order: named('DeliveryOrder', 'The sort order', z.enum(['oldest', 'newest'])).default('oldest'),
})

export const Replay = z.object({
  since: described(Timestamp, 'The earliest creation time of the deliveries', '2026-11-22T10:00:00.000Z'),
  status: named('EndedDeliveryStatus', 'The final status of a delivery', z.enum(['delivered', 'failed']))
    .optional()
    .describe('Only deliveries with this status. If absent, all ended deliveries'),
  cursor: CursorText.optional().describe('The `nextCursor` of the previous response'),
})
export type Replay = z.output<typeof Replay>

export const ReplayView = z.object({
  replayed: described(z.int(), 'The number of repeated deliveries', 12),
  nextCursor: z.string().optional().describe('The `cursor` of the next request. Absent if there are no more'),
})

const Headers = z.object({
  'content-type': z.string().describe('`application/json`'),
  'content-digest': z.string().describe('SHA-256 of the body (RFC 9530)'),
  'user-agent': z.string().describe('`Trustwright`'),
  'webhook-id': z.string().describe('The id of the event'),
  'webhook-timestamp': z.string().describe('The time of the attempt, in seconds since 1970'),
  'x-mattr-event-type': z.string().describe('The type of the event'),
  'x-mattr-webhook-id': z.string().describe('The id of the webhook'),
  'signature-input': z.string().describe('What is signed (RFC 9421, section 4.1)'),
  signature: z.string().describe('The signature (RFC 9421, section 4.2)'),
})

export const AttemptRequestView = named(
  'WebhookAttemptRequest',
  'The request of an attempt',
  z.object({
    id: idOf('attempt').describe('The `deliveryId` in the body'),
    at: Timestamp.describe('The time of the attempt'),
    method: z.literal('POST').describe('The method'),
    url: described(
      z.string(),
      'The URL. It, `headers` and `signatureBase` are absent if the request was not recorded',
      exampleUrl,
    ).optional(),
    headers: Headers.optional().describe('The signed headers, and the two headers of the signature'),
    signatureBase: z
      .string()
      .optional()
      .describe('The text that was signed (RFC 9421, section 2.5). Compare it with the text that a receiver composes'),
    body: z
      .string()
      .optional()
      .describe(
        'The body as sent. The service does not store it, but makes it again and compares the digest. Absent if the data was erased or has changed, ' +
          'or if the retention of the credential has ended',
      ),
  }),
)

export const DeliveryView = z.object({
  id: idOf('delivery'),
  eventId: idOf('event of a webhook').describe('The same in every attempt, so that receivers can detect repetitions'),
  type: described(z.string(), 'The type of the event', 'OpenIdCredentialIssuedSummary'),
  status: described(DeliveryStatus, 'The state of the delivery', 'delivered'),
  eventAt: Timestamp.describe('The time of the event'),
  createdAt: Timestamp.describe('The creation time of the delivery'),
  attempts: z
    .array(
      z.object({
        id: idOf('attempt').describe('The `deliveryId` in the body of the attempt'),
        at: Timestamp.describe('The time of the attempt. If its worker ended, the time when it was queued'),
        status: described(z.number().int(), 'The status of the answer. Absent without an answer', 200).optional(),
        durationMs: described(z.number().int(), 'The duration in milliseconds', 41),
        error: z.string().optional().describe('The reason if there was no answer'),
        answer: z.string().optional().describe('The first 1 KB of the answer. Absent if it was empty'),
      }),
    )
    .describe('The attempts, oldest first'),
  nextAttemptAt: Timestamp.meta({
    description: 'The time of the next attempt of a pending delivery',
    examples: [],
  }).optional(),
})
