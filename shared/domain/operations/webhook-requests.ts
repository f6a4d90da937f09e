import { unixSeconds } from '../../clock.ts'
import type { WebhookEventKind } from './webhook-events.ts'

export interface SentWebhookEvent {
  id: string
  type: WebhookEventKind
  timestamp: string
  payload: Record<string, unknown>
}

/** An attempt at a delivery. Its request can be made again from these values. */
export interface WebhookAttempt {
  /** The id of the attempt. The receiver gets it as `deliveryId`. */
  id: string
  at: Date
  webhookId: string
}

export function webhookBody({ id, at, webhookId }: WebhookAttempt, event: SentWebhookEvent): string {
  return JSON.stringify({ deliveryId: id, deliveryTimestamp: at.toISOString(), webhookId, event })
}

/** Returns the headers that are signed, with the digest of a body. */
export function webhookHeaders(
  { at, webhookId }: WebhookAttempt,
  { id, type }: Pick<SentWebhookEvent, 'id' | 'type'>,
  digest: string,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-digest': digest,
    'user-agent': 'Trustwright',
    // Standard Webhooks: receivers detect repetitions by this id. It is the same in every attempt.
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds(at)),
    'x-mattr-event-type': type,
    'x-mattr-webhook-id': webhookId,
  }
}

/** The stored parts of the request of an attempt. It has no content of the body except its digest. */
export interface SentRequest {
  url: string
  /** The header `content-digest`. */
  digest: string
  keyId: string
  /** The time of the signature in seconds since 1970. */
  created: number
  /** The header `signature`. */
  signature: string
}

/** Reads key and time from the headers of a signature that the service made (http-signature.ts). */
export function sentRequest(url: string, headers: Readonly<Record<string, string>>): SentRequest {
  const { 'signature-input': input = '', signature = '', 'content-digest': digest = '' } = headers
  const [, created = '', keyId = ''] = /;created=(\d+);keyid="([^"]*)"/.exec(input) ?? []
  return { url, digest, keyId, created: Number(created), signature }
}
