import { removeFromOutbox } from '../../db/outbox.ts'
import type { Cursor } from '../../db/page.ts'
import { endingId, endSupersededDeliveries } from '../../db/repos/operations/webhooks/ended-deliveries.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { minPauseMs, runUntil } from '../jobs/run-until.ts'
import { Postpone } from '../serve.ts'

const batchSize = 500
/** After this time the job is queued again, so that other upkeep jobs can run. */
const maxRunMs = 5_000

/** Ends the deliveries that were pending when their webhook was disabled. The job can run any number of times. */
export async function endDeliveries({ db }: WorkerDeps, ended: Payload<'endDeliveries'>): Promise<void> {
  let cursor: Cursor | undefined
  const pauseMs = await runUntil(async () => {
    const from = cursor
    cursor = await db.tx((tx) => endSupersededDeliveries(tx, ended.tenantId, ended, from, batchSize))
    return cursor && minPauseMs
  }, performance.now() + maxRunMs)
  if (pauseMs !== undefined) throw new Postpone(1)
  await db.tx((tx) => removeFromOutbox(tx, [endingId(ended)]))
}
