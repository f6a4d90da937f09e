import { chunksOf } from '../../db/repos/chunks.ts'
import { type DeliveryRow, deliveryJob, findDeliveryToSend } from '../../db/repos/operations/webhooks/deliveries.ts'
import { returnDeliveries } from '../../db/repos/operations/webhooks/due-deliveries.ts'
import { derivedId } from '../../shared/ids.ts'
import type { Attempt, WorkerDeps } from '../jobs/handlers.ts'
import { batchesOf } from './job-batches.ts'

export interface DeliveryToQueue {
  row: DeliveryRow
  priority: number
}

/**
 * Queues deliveries that were just committed. Their own rows state that they are queued, so no outbox rows are needed. If a worker is killed
 * before this, the repeated job queues them, because `created` and the ids of the jobs are derived from the job. `queueDueDeliveries` finds
 * deliveries whose jobs Redis refuses or loses.
 */
export async function queueNewDeliveries(
  deps: WorkerDeps,
  created: DeliveryToQueue[],
  { isRepeated }: Pick<Attempt, 'isRepeated'>,
): Promise<void> {
  // Many webhooks and many credentials give tens of thousands of deliveries, more than a statement has parameters.
  for (const some of chunksOf(created)) await queue(deps, isRepeated ? await findStored(deps.db, some) : some)
}

async function queue({ db, bus, clock, log }: WorkerDeps, queued: DeliveryToQueue[]): Promise<void> {
  if (queued.length === 0) return
  const jobs = queued.map(({ row, priority }) => deliveryJob(row, { priority }))
  const entries = batchesOf('deliverWebhooks', jobs).map((group) => ({
    payload: { items: group.map(({ payload }) => payload) },
    options: {
      id: derivedId(...group.map(({ id = '' }) => id)),
      priority: Math.min(...group.map(({ priority = 0 }) => priority)),
    },
  }))
  try {
    await bus.sendMany('deliverWebhooks', entries)
  } catch (err) {
    log.warn({ err, deliveries: jobs.length }, 'queueing of new deliveries failed, they wait in the database')
    const nextAttemptAt = clock.now()
    await db.tx((tx) =>
      returnDeliveries(
        tx,
        jobs.map(({ payload }) => ({ ...payload, nextAttemptAt })),
      ),
    )
  }
}

/** Returns the stored rows of a repeated job that are still queued. Jobs of an earlier run may have attempted the others. */
async function findStored(db: WorkerDeps['db'], created: DeliveryToQueue[]): Promise<DeliveryToQueue[]> {
  const works = await Promise.all(created.map(({ row }) => findDeliveryToSend(db.read, row.tenantId, row.id)))
  return created.flatMap(({ priority }, position) => {
    const row = works[position]?.delivery
    return row?.queuedUntil ? [{ row, priority }] : []
  })
}
