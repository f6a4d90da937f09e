import type { Writer } from '../../db/client.ts'
import { holdColumns } from '../../db/hold.ts'
import { insertEvents } from '../../db/repos/operations/search/events.ts'
import { announceChanges } from '../../db/repos/operations/webhooks/change-announcements.ts'
import type { DeliveryRow, RecordedAttempt } from '../../db/repos/operations/webhooks/deliveries.ts'
import {
  countFailures,
  disableWebhook,
  forgetFailures,
  pauseWebhook,
} from '../../db/repos/operations/webhooks/webhook-health.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { plusMs } from '../../shared/clock.ts'
import type { DisabledReason } from '../../shared/domain/operations/change-events.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { brokenPauseMs, hasFailedForDays, isBroken } from './health.ts'

export interface RecordableAttempt {
  delivery: DeliveryRow
  outcome: RecordedAttempt
  /** The webhook's URL at the time of the attempt. */
  url: string
}

export interface RecordedHealth {
  /** The webhook's generation, or 0 if no attempt failed. A delivery of an earlier generation has ended and must not stay pending. */
  generation: number
  /** This call disabled the webhook. The caller ends its deliveries with `endDeliveriesOf`, which increments the generation. */
  wasDisabled: boolean
}

/** Counts the failures among attempts at one webhook, and pauses or disables the webhook. Locks no row but the webhook's. */
export async function recordHealth(tx: Writer, attempts: RecordableAttempt[], at: Date): Promise<RecordedHealth> {
  const [
    {
      delivery: { tenantId, webhookId },
    },
  ] = attempts as [RecordableAttempt]
  const gone = attempts.filter(({ outcome }) => outcome.attempt.status === 410)
  if (attempts.some(({ outcome }) => outcome.state === 'delivered')) await forgetFailures(tx, tenantId, webhookId)
  // RFC 9110, section 15.5.11: a receiver that answers 410 is permanently gone. The webhook is disabled.
  if (gone.length > 0) return disable(tx, gone, { word: 'gone', text: 'The receiver answered 410 Gone' }, at)
  const failed = attempts.filter(({ outcome }) => outcome.state !== 'delivered')
  if (failed.length === 0) return withGeneration(0)
  if (failed.length < attempts.length) {
    // Fan-out locks webhooks of several tenants in another order. `holdColumns` does not wait for the shared locks of fan-out.
    const webhook = await holdColumns(tx, webhooks, tenantId, webhookId)
    return withGeneration(webhook?.generation)
  }

  const failing = await countFailures(tx, tenantId, webhookId, failed.length, at)
  if (failing?.disabled || !failing?.failingSince) return withGeneration(failing?.generation)
  const { generation, failures, failingSince } = failing
  // A new delivery could be the first delivery in days. Its failure alone does not show that the webhook failed for days.
  const retried = failed.find(({ delivery }) => delivery.attemptsMade > 0)
  if (retried && hasFailedForDays(failingSince, at))
    return disable(
      tx,
      [retried],
      { word: 'failing', text: `All deliveries failed since ${failingSince.toISOString()}` },
      at,
    )
  if (isBroken(failures)) await pauseWebhook(tx, tenantId, webhookId, plusMs(at, brokenPauseMs(failingSince, at)))
  return withGeneration(generation)
}

function withGeneration(generation = 0): RecordedHealth {
  return { generation, wasDisabled: false }
}

/**
 * Disables the webhook because of the first attempt of its current generation and URL, and writes the event. Does nothing if there is no
 * such attempt, because the failure of an earlier generation or URL does not concern the current webhook.
 */
async function disable(
  tx: Writer,
  attempts: RecordableAttempt[],
  { word, text: reason }: { word: DisabledReason; text: string },
  at: Date,
): Promise<RecordedHealth> {
  const [
    {
      delivery: { tenantId, webhookId },
    },
  ] = attempts as [RecordableAttempt]
  const webhook = await holdColumns(tx, webhooks, tenantId, webhookId)
  const current = attempts.find(
    ({ delivery, url }) => delivery.generation === webhook?.generation && url === webhook.url,
  )
  if (!webhook || !current || !(await disableWebhook(tx, tenantId, webhookId)))
    return withGeneration(webhook?.generation)
  const { attempt } = current.outcome
  const { status, error } = attempt
  const lastAttempt = { at: attempt.at, ...(status && { status }), ...(error && { error }) }
  await insertEvents(tx, [
    {
      id: newOrderedId(at),
      tenantId,
      type: 'WEBHOOK_DISABLED',
      category: 'WEBHOOKS',
      timestamp: at.toISOString(),
      requestId: attempt.id,
      data: { id: webhookId, reason, lastAttempt },
    },
  ])
  await announceChanges(tx, tenantId, { WebhookDisabled: [{ disabledWebhookId: webhookId, reason: word }] }, at)
  return { generation: webhook.generation, wasDisabled: true }
}
