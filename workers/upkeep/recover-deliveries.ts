import { freeQueuedDeliveries } from '../../db/repos/operations/due-deliveries.ts'
import type { WorkerDeps } from '../handlers.ts'

const batchSize = 500
const mostBatches = 20

/** Frees the deliveries whose jobs Redis lost, or that wait behind very many, to be queued again. */
export async function recoverDeliveries({ db, clock, log }: WorkerDeps): Promise<void> {
  let sum = 0
  for (let batch = 0; batch < mostBatches; batch++) {
    const freed = await db.tx((tx) => freeQueuedDeliveries(tx, clock.now(), batchSize))
    sum += freed
    if (freed < batchSize) break
  }
  if (sum > 0) log.info({ freed: sum }, 'deliveries whose jobs did not come are queued again')
}
