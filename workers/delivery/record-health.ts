import type { Writer } from '../../db/client.ts'
import { holdColumns } from '../../db/hold.ts'
import { type DeliveryRow, endDeliveriesOf, type RecordedAttempt } from '../../db/repos/operations/deliveries.ts'
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
}

/**
 * What attempts at one webhook say about it: its failures are counted, it is paused, or disabled. Returns what is to be
 * done after the attempts were written.
 */
export async function recordHealth(tx: Writer, attempts: MadeAttempt[], at: Date): Promise<() => Promise<void>> {
  const [
    {
      delivery: { tenantId, webhookId },
    },
  ] = attempts as [MadeAttempt]
  const gone = attempts.find(({ outcome }) => outcome.attempt.status === 410)
  if (attempts.some(({ outcome }) => outcome.state === 'delivered')) await forgetFailures(tx, tenantId, webhookId)
  // RFC 9110, section 15.5.11: who answers 410 wants to hear no more, of this webhook at all.
  if (gone) return disable(tx, gone, 'The receiver answered 410 Gone', at)
  const failed = attempts.filter(({ outcome }) => outcome.state !== 'delivered')
  if (failed.length === 0) return async () => undefined
  // Whoever disables it has ended what was pending then, or waits until this is committed.
  const end = () => endDeliveriesOf(tx, tenantId, webhookId)
  if (failed.length < attempts.length) {
    // Fan-out holds webhooks of several tenants at once, in another order: it is not waited for.
    const webhook = await holdColumns(tx, webhooks, tenantId, webhookId)
    return webhook?.disabled ? end : async () => undefined
  }

  const failing = await countFailures(tx, tenantId, webhookId, failed.length, at)
  if (failing?.disabled) return end
  if (!failing?.failingSince) return async () => undefined
  const { failures, failingSince, pausedUntil } = failing
  // A delivery that is new could be the first in days, and one failure no sign of anything.
  const retried = failed.find(({ delivery }) => delivery.attemptsMade > 0)
  if (retried && hasFailedForDays(failingSince, at))
    return disable(tx, retried, `All deliveries failed since ${failingSince.toISOString()}`, at)
  if (isBroken(failures) && (!pausedUntil || pausedUntil <= at))
    await pauseWebhook(tx, tenantId, webhookId, plusMs(at, restMs(failingSince, at)))
  return async () => undefined
}

/** Ends what is pending as well; it can be replayed once the webhook is enabled. The event is as certain as that. */
async function disable(
  tx: Writer,
  { delivery: { tenantId, webhookId }, outcome: { attempt } }: MadeAttempt,
  reason: string,
  at: Date,
): Promise<() => Promise<void>> {
  if (await disableWebhook(tx, tenantId, webhookId)) {
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
  }
  return () => endDeliveriesOf(tx, tenantId, webhookId)
}
