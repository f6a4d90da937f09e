import type { Writer } from '../../db/client.ts'
import { freeQueuedLines } from '../../db/repos/messaging/due-lines.ts'
import { freeQueuedDeliveries } from '../../db/repos/operations/due-deliveries.ts'
import type { WorkerDeps } from '../handlers.ts'

const batchSize = 500
const mostBatches = 20

/** Frees the deliveries, and the lines of messages, whose jobs Redis lost, or that wait behind very many, to be queued again. */
export async function recoverDeliveries(deps: WorkerDeps): Promise<void> {
  const [deliveries, lines] = [await freed(deps, freeQueuedDeliveries), await freed(deps, freeQueuedLines)]
  if (deliveries > 0) deps.log.info({ freed: deliveries }, 'deliveries whose jobs did not come are queued again')
  if (lines > 0) deps.log.info({ freed: lines }, 'lines of messages whose jobs did not come are queued again')
}

async function freed(
  { db, clock }: WorkerDeps,
  free: (tx: Writer, at: Date, most: number) => Promise<number>,
): Promise<number> {
  let sum = 0
  for (let batch = 0; batch < mostBatches; batch++) {
    const count = await db.tx((tx) => free(tx, clock.now(), batchSize))
    sum += count
    if (count < batchSize) break
  }
  return sum
}
