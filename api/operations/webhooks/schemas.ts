import { z } from 'zod'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { webhookEventKinds } from '../../../shared/webhook-events.ts'
import { Timestamp } from '../../http/fields.ts'
import { PageQuery } from '../../http/page.ts'

const Events = z
  .array(z.enum(webhookEventKinds))
  .min(1)
  .refine((events) => new Set(events).size === events.length, 'Must not name a kind twice')

/** Checked again where the configuration is known: loopback is for development. */
const WebhookUrl = z.string().superRefine((url, ctx) => {
  const refusal = findUrlFault(url, { allowLoopback: true })
  if (refusal) ctx.addIssue({ code: 'custom', message: refusal })
})

export const NewWebhook = z.object({ events: Events, url: WebhookUrl })

export const WebhookUpdate = NewWebhook.extend({
  disabled: z.boolean().optional().describe('Absent: as it is'),
})

export const WebhookView = z.object({
  id: z.string(),
  events: z.array(z.string()),
  url: z.string(),
  disabled: z.boolean(),
})

export const WebhookKeySet = z.object({
  keys: z.array(z.object({ kty: z.string(), crv: z.string(), x: z.string(), use: z.literal('sig'), kid: z.string() })),
})

const DeliveryStatus = z.enum(['pending', 'delivered', 'failed'])

export const DeliveriesQuery = PageQuery.extend({ status: DeliveryStatus.optional() })

export const DeliveryView = z.object({
  id: z.string(),
  eventId: z.string().describe('The same in every attempt; receivers tell repetitions by it'),
  type: z.string(),
  status: DeliveryStatus,
  attempts: z.array(
    z.object({
      at: Timestamp,
      status: z.number().int().optional().describe('Of the answer; absent when there was none'),
      durationMs: z.number().int(),
      error: z.string().optional(),
    }),
  ),
  nextAttemptAt: Timestamp.optional().describe('Present while pending'),
})
