import type { DeliveryRow } from '../../db/repos/operations/webhooks/deliveries.ts'
import type { DeliveryAttempt } from '../../db/tables/operations/deliveries.ts'
import {
  type SentWebhookEvent,
  sentRequest,
  webhookBody,
  webhookHeaders,
} from '../../shared/domain/operations/webhook-requests.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { contentDigest } from '../../shared/formats/http-signature.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import type { AttemptSlot } from './attempt-limiter.ts'
import { AttemptPostponed } from './attempt-postponed.ts'
import type { DeliveryDeps } from './deps.ts'
import type { PostAnswer } from './post.ts'

/** The pause before the next attempt if the signing process does not answer. */
const signingPauseMs = 2_000
/** Shorter than the time after which a delivery counts as lost (due-deliveries.ts). */
const signingTimeoutMs = 5_000

export interface AttemptResult {
  attempt: DeliveryAttempt
  retryAfter: string | undefined
  /** The answer did not arrive in time. */
  timedOut: boolean
}

interface Sending {
  /** The id of the attempt. The receiver gets it as `deliveryId`. */
  id: string
  delivery: DeliveryRow
  url: string
  event: SentWebhookEvent
  /** Sends the signed request. */
  send(url: string, headers: Record<string, string>, body: string): Promise<PostAnswer>
}

/**
 * Signs and sends an event once, under the id of this attempt. Returns the result also if there is no answer. Throws `AttemptPostponed` if
 * no signing process answers, because the request was not sent.
 */
export async function attemptDelivery(
  deps: DeliveryDeps,
  slot: AttemptSlot,
  { id, delivery: { tenantId, webhookId }, url, event, send }: Sending,
): Promise<AttemptResult> {
  const at = deps.clock.now()
  const attempt = { id, at, webhookId }
  const body = webhookBody(attempt, event)
  const headers = await signed(deps, tenantId, url, webhookHeaders(attempt, event, contentDigest(body)))
  const startedAt = performance.now()
  const { retryAfter, timedOut = false, ...answer } = await slot.measure(() => send(url, headers, body))
  const durationMs = Math.round(performance.now() - startedAt)
  const request = sentRequest(url, headers)
  return { attempt: { id, at: at.toISOString(), durationMs, ...answer, request }, retryAfter, timedOut }
}

async function signed(deps: DeliveryDeps, tenantId: string, url: string, headers: Record<string, string>) {
  const request = { tenantId, method: 'POST' as const, url, headers }
  try {
    const signed = await deps.keys.request('signWebhooks', request, {
      deadlineAt: performance.now() + signingTimeoutMs,
    })
    const traceparent = tracing?.traceparent()
    return { ...headers, ...signed.headers, ...(traceparent && { traceparent }) }
  } catch (error) {
    if (error instanceof Problem) throw new AttemptPostponed(Math.round(signingPauseMs * (1 + Math.random())))
    throw error
  }
}
