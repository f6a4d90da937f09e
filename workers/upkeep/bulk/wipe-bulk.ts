import { removeFromOutbox } from '../../../db/outbox.ts'
import { wipeClaims } from '../../../db/repos/issuance/bulk-runs.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { WorkerDeps } from '../../handlers.ts'
import { minPauseMs, repeatSteps } from '../../repeat-steps.ts'
import { Postpone } from '../../serve.ts'

const batchSize = 500
/** After this time the job is queued again, so that other upkeep jobs can run. */
const maxRunMs = 5_000

/** Removes the claims of the rows of a cancelled bulk issuance. The job can run any number of times. */
export async function wipeBulk({ db }: WorkerDeps, { tenantId, bulkId }: Payload<'wipeBulk'>): Promise<void> {
  let after: number | undefined = 0
  const pauseMs = await repeatSteps(async () => {
    const from = after ?? 0
    after = await db.tx((tx) => wipeClaims(tx, { tenantId, id: bulkId }, from, batchSize))
    return after === undefined ? undefined : minPauseMs
  }, performance.now() + maxRunMs)
  if (pauseMs !== undefined) throw new Postpone(1)
  await db.tx((tx) => removeFromOutbox(tx, [`${bulkId}-wipe`]))
}
