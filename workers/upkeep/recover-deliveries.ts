import { freeFutureRows } from '../../db/outbox.ts'
import { freeQueuedLines } from '../../db/repos/messaging/due-lines.ts'
import { freeQueuedDeliveries } from '../../db/repos/operations/webhooks/due-deliveries.ts'
import { removeEndedListeners } from '../../db/repos/operations/webhooks/listeners.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { type Batch, runBatchesUntil } from '../jobs/run-until.ts'

/** The time for each of the four kinds of rows. A run ends before the next, 5 s later, which frees the other rows. */
const maxRunMs = 1_000

/**
 * Frees deliveries and message lines whose jobs Redis lost or did not run in time, so that they are queued again. Frees outbox rows of a
 * process whose clock was ahead. Removes listeners whose streams ended.
 */
export async function recoverDeliveries(deps: WorkerDeps): Promise<void> {
  const { bus, clock, log } = deps
  const emptiedAt = await bus.emptiedAt(clock)
  const free = async (batch: Batch) => (await runBatchesUntil(deps, batch, performance.now() + maxRunMs)).count
  const deliveries = await free((tx, max) => freeQueuedDeliveries(tx, clock.now(), max, emptiedAt))
  const lines = await free((tx, max) => freeQueuedLines(tx, clock.now(), max, emptiedAt))
  const rows = await free((tx, max) => freeFutureRows(tx, clock.now(), max))
  const listeners = await free((tx, max) => removeEndedListeners(tx, clock.now(), max))
  if (listeners > 0) log.info({ removed: listeners }, 'listeners without a stream removed')
  if (rows > 0) log.warn({ freed: rows }, 'outbox rows of a clock that was ahead freed')
  if (deliveries > 0) log.info({ freed: deliveries }, 'deliveries without a job freed')
  if (lines > 0) log.info({ freed: lines }, 'message lines without a job freed')
}
