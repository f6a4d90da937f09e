import type { DeliveryRow } from '../../db/repos/operations/deliveries.ts'
import type { DeliveryAttempt } from '../../db/tables/operations/deliveries.ts'
import { unixSeconds } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors.ts'
import { contentDigest } from '../../shared/formats/http-signature.ts'
import type { DeliveryDeps } from './deps.ts'
import type { WebhookEvent } from './event.ts'
import type { Turn } from './gate.ts'
import { Later } from './later.ts'
import { post } from './post.ts'

/** After which a delivery that could not be signed is tried again. */
const signingPauseMs = 2_000
/** Well before another one takes the delivery for lost (due-deliveries.ts). */
const signingWithinMs = 5_000

export interface AttemptResult {
  attempt: DeliveryAttempt
  retryAfter: string | undefined
  /** The answer did not come in time. */
  timedOut: boolean
}

interface Sending {
  /** The attempt's, which the receiver reads as `deliveryId`. */
  id: string
  delivery: DeliveryRow
  url: string
  event: WebhookEvent
}

/**
 * Signs and sends an event once, under the id of this attempt. Any answer, and none, is a result; throws `Later`
 * when nobody signs, which is no attempt: the receiver has no part in it.
 */
export async function attemptDelivery(
  deps: DeliveryDeps,
  turn: Turn,
  { id, delivery: { tenantId, webhookId }, url, event }: Sending,
): Promise<AttemptResult> {
  const at = deps.clock.now()
  const body = JSON.stringify({ deliveryId: id, deliveryTimestamp: at.toISOString(), webhookId, event })
  const headers = await signed(deps, tenantId, url, {
    'content-type': 'application/json',
    'content-digest': contentDigest(body),
    'user-agent': 'Trustwright',
    // Standard Webhooks: what receivers tell repetitions by, so it stays the same in every attempt.
    'webhook-id': event.id,
    'webhook-timestamp': String(unixSeconds(at)),
    'x-mattr-event-type': event.type,
    'x-mattr-webhook-id': webhookId,
  })
  const startedAt = performance.now()
  const { retryAfter, timedOut = false, ...answer } = await turn.measure(() => post(deps, url, headers, body))
  const durationMs = Math.round(performance.now() - startedAt)
  return { attempt: { id, at: at.toISOString(), durationMs, ...answer }, retryAfter, timedOut }
}

async function signed(deps: DeliveryDeps, tenantId: string, url: string, headers: Record<string, string>) {
  const request = { tenantId, method: 'POST' as const, url, headers }
  try {
    const signed = await deps.keys.request('signWebhooks', request, { deadlineAt: performance.now() + signingWithinMs })
    return { ...headers, ...signed.headers }
  } catch (error) {
    if (error instanceof Problem) throw new Later(Math.round(signingPauseMs * (1 + Math.random())))
    throw error
  }
}
