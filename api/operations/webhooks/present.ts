import type { PublicKeyRow } from '../../../db/repos/identifiers/keys.ts'
import type { DeliveryRow } from '../../../db/repos/operations/deliveries.ts'
import type { WebhookRow } from '../../../db/repos/operations/webhooks.ts'

export function presentWebhook({ id, events, url, disabled }: WebhookRow) {
  return { id, events, url, disabled }
}

export function presentDelivery(
  { id, eventId, kind, state, eventAt, createdAt, attempts, nextAttemptAt }: DeliveryRow,
  { pausedUntil }: Pick<WebhookRow, 'pausedUntil'>,
) {
  const isPaused = nextAttemptAt && pausedUntil && pausedUntil > nextAttemptAt
  const next = isPaused ? pausedUntil : nextAttemptAt
  return {
    id,
    eventId,
    type: kind,
    status: state,
    eventAt: eventAt.toISOString(),
    createdAt: createdAt.toISOString(),
    attempts,
    ...(next ? { nextAttemptAt: next.toISOString() } : {}),
  }
}

export function presentKey({ id, publicJwk }: PublicKeyRow) {
  return { ...publicJwk, use: 'sig', kid: id }
}
