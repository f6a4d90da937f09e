import { removeFromOutbox } from '../../db/outbox.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import type { ChangePortion } from '../../shared/jobs/payloads.ts'
import type { Attempt, WorkerDeps } from '../jobs/handlers.ts'
import { createDeliveries } from './fan-out.ts'

/** The events of one transaction. A tenant with many webhooks has many deliveries of each. */
const batchSize = 100

/**
 * Creates the deliveries of a portion of events, in several transactions. The outbox row stays until the last one is done. A repeated run
 * creates the same ids, so it adds only the missing deliveries.
 */
export async function fanOutChanges(
  deps: WorkerDeps,
  { tenantId, portionId, subjects, traceparent }: ChangePortion,
  attempt: Pick<Attempt, 'isRepeated'>,
): Promise<void> {
  for (const some of chunksOf(subjects, batchSize)) {
    const refs = some.map((subjectId) => ({
      tenantId,
      kind: 'change' as const,
      subjectId,
      ...(traceparent && { traceparent }),
    }))
    await createDeliveries(deps, refs, attempt)
  }
  await deps.db.tx((tx) => removeFromOutbox(tx, [portionId]))
}
