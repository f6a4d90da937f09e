import { z } from 'zod'
import { webhookEventKinds } from '../../../shared/domain/operations/webhook-events.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { described, exampleKid, idOf, named, Timestamp } from '../../http/fields.ts'
import { CursorText, PageQuery } from '../../http/page.ts'

const EventKind = named(
  'WebhookEventKind',
  'What a webhook is told: that a credential was issued, with the credential or without it',
  z.enum(webhookEventKinds),
)
const Events = described(
  z
    .array(EventKind)
    .min(1)
    .refine((events) => new Set(events).size === events.length, 'Must not name a kind twice'),
  'What it is told of',
  ['OpenIdCredentialIssuedSummary'],
)
const exampleUrl = 'https://hooks.example.org/credentials'
const urlWords = 'Where deliveries are sent to'

/** Checked again where the configuration is known: loopback is for development. */
const WebhookUrl = z.string().superRefine((url, ctx) => {
  const refusal = findUrlFault(url, { allowLoopback: true })
  if (refusal) ctx.addIssue({ code: 'custom', message: refusal })
})

export const NewWebhook = z.object({
  events: Events,
  url: described(WebhookUrl, `${urlWords}: https, without a query, an IP address or credentials`, exampleUrl),
})

export const WebhookUpdate = NewWebhook.extend({
  disabled: z.boolean().default(false).describe('Nothing is sent to it'),
})

export const WebhookView = z.object({
  id: idOf('webhook'),
  events: described(z.array(z.string()), 'What it is told of', ['OpenIdCredentialIssuedSummary']),
  url: described(z.string(), urlWords, exampleUrl),
  disabled: z.boolean().describe('Nothing is sent to it'),
})

export const WebhookKeySet = z.object({
  keys: z
    .array(
      named(
        'WebhookJwk',
        'A public key that signs webhooks (RFC 8037)',
        z.object({
          kty: described(z.string(), 'The kind of the key', 'OKP'),
          crv: described(z.string(), 'The curve', 'Ed25519'),
          x: described(z.string(), 'The public key, base64url', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
          use: z.literal('sig').describe('It signs'),
          kid: described(z.string(), '`keyid` of `Signature-Input`', exampleKid),
        }),
      ),
    )
    .describe('The key in use, and the replaced ones whose signatures may still come'),
})

const DeliveryStatus = named('DeliveryStatus', 'How far a delivery is', z.enum(['pending', 'delivered', 'failed']))

export const DeliveriesQuery = PageQuery.extend({
  status: DeliveryStatus.optional().describe('Only those'),
  order: named('DeliveryOrder', 'Which deliveries are first', z.enum(['oldest', 'newest'])).default('oldest'),
})

export const Replay = z.object({
  since: described(Timestamp, 'Deliveries that were made then or later', '2026-11-22T10:00:00.000Z'),
  status: named('EndedDeliveryStatus', 'How a delivery ended', z.enum(['delivered', 'failed']))
    .optional()
    .describe('Only those; absent: all that have ended'),
  cursor: CursorText.optional().describe('The `nextCursor` of the call before'),
})
export type Replay = z.output<typeof Replay>

export const ReplayView = z.object({
  replayed: described(z.int(), 'How many are sent once more', 12),
  nextCursor: z.string().optional().describe('There are more: the `cursor` of the next call'),
})

export const DeliveryView = z.object({
  id: idOf('delivery'),
  eventId: idOf('event of a webhook').describe('The same in every attempt; receivers tell repetitions by it'),
  type: described(z.string(), 'The kind of the event', 'OpenIdCredentialIssuedSummary'),
  status: described(DeliveryStatus, 'How far it is', 'delivered'),
  eventAt: Timestamp.describe('When the event happened'),
  createdAt: Timestamp.describe('When the delivery was made'),
  attempts: z
    .array(
      z.object({
        id: idOf('attempt').describe('`deliveryId` of the body'),
        at: Timestamp.describe('When it was sent; of an attempt that ended with its worker, when it was queued'),
        status: described(z.number().int(), 'Of the answer; absent when there was none', 200).optional(),
        durationMs: described(z.number().int(), 'How long the answer took, in milliseconds', 41),
        error: z.string().optional().describe('Why there was no answer'),
        answer: z.string().optional().describe('The first 1 KB of what was answered; absent when that was empty'),
      }),
    )
    .describe('What was tried, oldest first'),
  nextAttemptAt: Timestamp.meta({
    description: 'When it is tried next; present while pending',
    examples: [],
  }).optional(),
})
