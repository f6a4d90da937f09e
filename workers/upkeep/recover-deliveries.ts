import { addToOutbox } from '../../db/outbox.ts'
import { deliveryJob, takeOverdueDeliveries } from '../../db/repos/deliveries.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'

const overdueMs = 60_000
const batchSize = 500
const mostBatches = 20

/**
 * Queues the deliveries again that should have been attempted a minute ago: Redis lost their jobs, or they wait behind
 * many. For the latter nothing happens, since a job of the same id is there. All are given another minute.
 */
export async function recoverDeliveries({ db, bus, clock, log }: WorkerDeps): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch++) {
    const at = clock.now()
    const queued = await db.tx(async (tx) => {
      const overdue = await takeOverdueDeliveries(tx, plusMs(at, -overdueMs), at, batchSize)
      await addToOutbox(tx, 'deliverWebhook', inTurns(overdue), at)
      return overdue.length
    })
    if (queued === 0) return
    log.info({ queued }, 'overdue deliveries were queued again')
    bus.poke()
    if (queued < batchSize) return
  }
}

/** With urgency by position among the tenant's own, as when they were queued first. */
function inTurns(overdue: Parameters<typeof deliveryJob>[0][]) {
  return [...Map.groupBy(overdue, ({ tenantId }) => tenantId).values()].flatMap((ofTenant) =>
    ofTenant.map((delivery, position) => deliveryJob(delivery, position)),
  )
}
