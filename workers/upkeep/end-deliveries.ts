import { setTimeout as sleep } from 'node:timers/promises'
import { removeFromOutbox } from '../../db/outbox.ts'
import type { Cursor } from '../../db/page.ts'
import { endingId, endSupersededDeliveries } from '../../db/repos/operations/ended-deliveries.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { WorkerDeps } from '../handlers.ts'
import { Postpone } from '../serve.ts'

const batchSize = 500
/** Between two batches others write for as long as one took. */
const shortestPauseMs = 5
/** After this time the job is queued again, so that other jobs of upkeep have their turn. */
const turnMs = 5_000

/** Ends the deliveries that were pending when their webhook was disabled. The job can run any number of times. */
export async function endDeliveries({ db }: WorkerDeps, ended: Payload<'endDeliveries'>): Promise<void> {
  const until = performance.now() + turnMs
  let cursor: Cursor | undefined
  for (;;) {
    const startedAt = performance.now()
    const from = cursor
    cursor = await db.tx((tx) => endSupersededDeliveries(tx, ended.tenantId, ended, from, batchSize))
    if (!cursor) break
    if (performance.now() > until) throw new Postpone(1)
    await sleep(Math.max(performance.now() - startedAt, shortestPauseMs))
  }
  await db.tx((tx) => removeFromOutbox(tx, [endingId(ended)]))
}
