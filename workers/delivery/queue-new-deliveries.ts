import { chunksOf } from '../../db/repos/chunks.ts'
import { type DeliveryRow, deliveryJob, findDeliveryToSend } from '../../db/repos/operations/deliveries.ts'
import { returnDeliveries } from '../../db/repos/operations/due-deliveries.ts'
import { derivedId } from '../../shared/ids.ts'
import type { Attempt, WorkerDeps } from '../handlers.ts'
import { inJobs } from './in-jobs.ts'

export interface DeliveryToQueue {
  row: DeliveryRow
  priority: number
}

/**
 * Queues deliveries that were just committed, without the outbox, which would write and remove a row for each: their own rows say
 * that they are queued. Those of a worker that died in between are queued by the one that takes its job over, since `made`
 * and the ids of jobs follow from the job; what Redis does not take, or loses, is found when its time has come.
 */
export async function queueNewDeliveries(
  deps: WorkerDeps,
  made: DeliveryToQueue[],
  { isRepeated }: Pick<Attempt, 'isRepeated'>,
): Promise<void> {
  // What many webhooks want of many credentials is tens of thousands: more than a statement has parameters.
  for (const some of chunksOf(made)) await queue(deps, isRepeated ? await asStored(deps.db, some) : some)
}

async function queue({ db, bus, clock, log }: WorkerDeps, queued: DeliveryToQueue[]): Promise<void> {
  if (queued.length === 0) return
  const jobs = queued.map(({ row, priority }) => deliveryJob(row, { priority }))
  const entries = inJobs('deliverWebhooks', jobs).map((group) => ({
    payload: { items: group.map(({ payload }) => payload) },
    options: {
      id: derivedId(...group.map(({ id = '' }) => id)),
      priority: Math.min(...group.map(({ priority = 0 }) => priority)),
    },
  }))
  try {
    await bus.sendMany('deliverWebhooks', entries)
  } catch (err) {
    log.warn({ err, deliveries: jobs.length }, 'new deliveries wait until the queue is back')
    const nextAttemptAt = clock.now()
    await db.tx((tx) =>
      returnDeliveries(
        tx,
        jobs.map(({ payload }) => ({ ...payload, nextAttemptAt })),
      ),
    )
  }
}

/** The run before may have stored them, by which their jobs know them, and they may have been attempted since. */
async function asStored(db: WorkerDeps['db'], made: DeliveryToQueue[]): Promise<DeliveryToQueue[]> {
  const found = await Promise.all(made.map(({ row }) => findDeliveryToSend(db.read, row.tenantId, row.id)))
  return made.flatMap(({ priority }, position) => {
    const row = found[position]?.delivery
    return row?.queuedUntil ? [{ row, priority }] : []
  })
}
