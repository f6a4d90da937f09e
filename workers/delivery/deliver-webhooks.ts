import type { SendOptions } from '../../shared/jobs/bus.ts'
import { type DeliveryRef, RetryLater } from '../../shared/jobs/registry.ts'
import { Postpone } from '../serve.ts'
import { deliverWebhook, type SendingDeps } from './deliver-webhook.ts'

/** After trouble of our own that the handler knows nothing of. */
const troublePauseMs = 5_000

/**
 * The first attempts of many deliveries, at once: a job each would cost more than the requests themselves. What has to
 * wait for its turn or for its next attempt goes on as a job of its own.
 */
export async function deliverWebhooks(deps: SendingDeps, items: DeliveryRef[]): Promise<void> {
  const later: { payload: DeliveryRef; options: SendOptions }[] = []
  await Promise.all(
    items.map((payload) =>
      deliverWebhook(deps, payload).catch((error: unknown) => {
        later.push({ payload, options: { id: payload.jobId, delayMs: pauseAfter(deps, error) } })
      }),
    ),
  )
  if (later.length > 0) await deps.bus.sendMany('deliverWebhook', later)
}

function pauseAfter({ log }: SendingDeps, error: unknown): number {
  if (error instanceof RetryLater || error instanceof Postpone) return error.delayMs
  log.error({ err: error }, 'a delivery failed')
  return troublePauseMs
}
