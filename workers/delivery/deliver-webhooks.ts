import { type Returned, returnDeliveries } from '../../db/repos/operations/webhooks/due-deliveries.ts'
import { plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import { AttemptPostponed } from './attempt-postponed.ts'
import { deliverWebhook, type SendingDeps } from './deliver-webhook.ts'
import type { JobStarts } from './interrupted-attempts.ts'
import { createOpenIssued } from './sources/open-issued.ts'

/** The pause after an unexpected error. */
const errorPauseMs = 5_000

/**
 * Attempts several deliveries concurrently, because one job for each would cost more than the requests. A delivery that is postponed or
 * fails waits in the database until `queueDueDeliveries` finds it.
 */
export async function deliverWebhooks(
  options: Omit<SendingDeps, 'openIssued'>,
  items: DeliveryRef[],
  starts: JobStarts,
): Promise<void> {
  const deps = { ...options, openIssued: createOpenIssued(options.secrets) }
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

function pauseAfter({ log }: Pick<SendingDeps, 'log'>, error: unknown): number {
  if (error instanceof AttemptPostponed) return error.delayMs
  // The job itself logs an outage.
  if (!(error instanceof Problem)) log.error({ err: error }, 'delivery failed')
  return errorPauseMs
}
