import { hold } from '../../../db/hold.ts'
import { removeFromOutbox } from '../../../db/outbox.ts'
import { wipeClaims } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { WorkerDeps } from '../../jobs/handlers.ts'
import { minPauseMs, runUntil } from '../../jobs/run-until.ts'
import { createTimeSlices } from '../../jobs/time-slices.ts'
import { Postpone } from '../../serve.ts'

const batchSize = 500
/** After this time the job is queued again, so that other upkeep jobs and the wipes of other tenants can run. */
const maxTimeSliceMs = 1_000

/** Returns the handler of the job. A process wipes one bulk issuance at a time. The other jobs of the queue have the rest of its slots. */
export function createWipeBulk(
  deps: WorkerDeps,
  timeSliceMs = maxTimeSliceMs,
): (payload: Payload<'wipeBulk'>) => Promise<void> {
  const slices = createTimeSlices(1)
  return ({ tenantId, bulkId }) =>
    slices.take({ tenantId, id: bulkId }, () => wipeBulk(deps, { tenantId, bulkId }, timeSliceMs))
}

/** Removes the claims of the rows of a cancelled bulk issuance. The job can run any number of times. */
async function wipeBulk(
  { db }: WorkerDeps,
  { tenantId, bulkId }: Payload<'wipeBulk'>,
  timeSliceMs: number,
): Promise<void> {
  const pauseMs = await runUntil(async () => {
    const isLeft = await db.tx(async (tx) => {
      const bulk = await hold(tx, bulkIssuances, tenantId, bulkId)
      // The rows of a deleted bulk issuance are deleted soon.
      return bulk?.state === 'cancelled' && wipeClaims(tx, bulk, batchSize)
    })
    return isLeft ? minPauseMs : undefined
  }, performance.now() + timeSliceMs)
  if (pauseMs !== undefined) throw new Postpone(0)
  await db.tx((tx) => removeFromOutbox(tx, [`${bulkId}-wipe`]))
}
