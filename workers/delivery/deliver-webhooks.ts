import { type Returned, returnDeliveries } from '../../db/repos/operations/due-deliveries.ts'
import { plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import { deliverWebhook, type SendingDeps } from './deliver-webhook.ts'
import type { Starts } from './interrupted-attempts.ts'
import { Later } from './later.ts'

/** After trouble of our own that the handler knows nothing of. */
const troublePauseMs = 5_000

/**
 * Attempts at many deliveries, at once: a job each would cost more than the requests themselves. What cannot be attempted
 * now waits in the database again, as what failed does, until `queueDueDeliveries` finds it.
 */
export async function deliverWebhooks(deps: SendingDeps, items: DeliveryRef[], starts: Starts): Promise<void> {
  const returned: Returned[] = []
  const at = deps.clock.now()
  await Promise.all(
    items.map((item) =>
      deliverWebhook(deps, item, starts).catch((error: unknown) => {
        returned.push({ ...item, nextAttemptAt: plusMs(at, pauseAfter(deps, error)) })
      }),
    ),
  )
  if (returned.length > 0) await deps.db.tx((tx) => returnDeliveries(tx, returned))
}

function pauseAfter({ log }: SendingDeps, error: unknown): number {
  if (error instanceof Later) return error.delayMs
  // An outage is told of by the job, which ends in it as well.
  if (!(error instanceof Problem)) log.error({ err: error }, 'a delivery failed')
  return troublePauseMs
}
