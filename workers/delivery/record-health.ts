import type { Writer } from '../../db/client.ts'
import { holdColumns } from '../../db/hold.ts'
import type { DeliveryRow, RecordedAttempt } from '../../db/repos/operations/deliveries.ts'
import { endDeliveriesOf } from '../../db/repos/operations/ended-deliveries.ts'
import { insertEvents } from '../../db/repos/operations/events.ts'
import {
  countFailures,
  disableWebhook,
  forgetFailures,
  pauseWebhook,
} from '../../db/repos/operations/webhook-health.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { plusMs } from '../../shared/clock.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { hasFailedForDays, isBroken, restMs } from './health.ts'

export interface MadeAttempt {
  delivery: DeliveryRow
  outcome: RecordedAttempt
  /** The webhook's when the attempt was made. */
  url: string
}

/**
 * Counts the failures among attempts at one webhook, and pauses or disables it. Returns the webhook's generation: a delivery of an earlier
 * one has ended, and must not be left pending. Returns 0 where no attempt failed.
 */
export async function recordHealth(tx: Writer, attempts: MadeAttempt[], at: Date): Promise<number> {
  const [
    {
      delivery: { tenantId, webhookId },
    },
  ] = attempts as [MadeAttempt]
  // An attempt of an earlier generation or at an earlier URL says nothing of the webhook as it is now.
  const gone = attempts.filter(({ outcome }) => outcome.attempt.status === 410)
  if (attempts.some(({ outcome }) => outcome.state === 'delivered')) await forgetFailures(tx, tenantId, webhookId)
  // RFC 9110, section 15.5.11: who answers 410 wants to hear no more, of this webhook at all.
  if (gone.length > 0) return disable(tx, gone, 'The receiver answered 410 Gone', at)
  const failed = attempts.filter(({ outcome }) => outcome.state !== 'delivered')
  if (failed.length === 0) return 0
  if (failed.length < attempts.length) {
    // Fan-out holds webhooks of several tenants at once, in another order: it is not waited for.
    const webhook = await holdColumns(tx, webhooks, tenantId, webhookId)
    return webhook?.generation ?? 0
  }

  const failing = await countFailures(tx, tenantId, webhookId, failed.length, at)
  if (failing?.disabled) return failing.generation
  if (!failing?.failingSince) return failing?.generation ?? 0
  const { generation, failures, failingSince, pausedUntil } = failing
  // A delivery that is new could be the first in days, and one failure no sign of anything.
  const retried = failed.find(({ delivery }) => delivery.attemptsMade > 0)
  if (retried && hasFailedForDays(failingSince, at))
    return disable(tx, [retried], `All deliveries failed since ${failingSince.toISOString()}`, at)
  if (isBroken(failures) && (!pausedUntil || pausedUntil <= at))
    await pauseWebhook(tx, tenantId, webhookId, plusMs(at, restMs(failingSince, at)))
  return generation
}

/**
 * Disables the webhook because of the first attempt that was made at its present generation and URL. Its pending deliveries end, and the
 * event is written. Does nothing if there is no such attempt. Returns the webhook's generation.
 */
async function disable(tx: Writer, attempts: MadeAttempt[], reason: string, at: Date): Promise<number> {
  const [
    {
      delivery: { tenantId, webhookId },
    },
  ] = attempts as [MadeAttempt]
  const webhook = await holdColumns(tx, webhooks, tenantId, webhookId)
  const current = attempts.find(
    ({ delivery, url }) => delivery.generation === webhook?.generation && url === webhook.url,
  )
  if (!current || !(await disableWebhook(tx, tenantId, webhookId))) return webhook?.generation ?? 0
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
  return endDeliveriesOf(tx, tenantId, webhookId, at)
}
