import type { DeliveryRow } from '../../../db/repos/operations/webhooks/deliveries.ts'
import type { WebhookRow } from '../../../db/repos/operations/webhooks/webhooks.ts'

export function presentWebhook({ id, events, url, disabled }: WebhookRow) {
  return { id, events, url, disabled }
}

/**
 * Presents a delivery, whose next attempt waits for the end of its webhook's pause. A delivery of an earlier generation has no next
 * attempt: it ended when the webhook was disabled. Leave the webhook out for a delivery that was just queued.
 */
export function presentDelivery(
  { id, eventId, kind, state, eventAt, createdAt, attempts, ...delivery }: DeliveryRow,
  webhook?: WebhookRow,
) {
  const hasEnded = webhook && delivery.generation < webhook.generation
  const nextAttemptAt = hasEnded ? null : delivery.nextAttemptAt
  const pausedUntil = webhook?.pausedUntil
  const isPaused = nextAttemptAt && pausedUntil && pausedUntil > nextAttemptAt
  const next = isPaused ? pausedUntil : nextAttemptAt
  return {
    id,
    eventId,
    type: kind,
    status: state,
    eventAt: eventAt.toISOString(),
    createdAt: createdAt.toISOString(),
    attempts: attempts.map(({ request: _request, ...attempt }) => attempt),
    ...(next ? { nextAttemptAt: next.toISOString() } : {}),
  }
}
