import { removeFromOutbox } from '../../db/outbox.ts'
import { deleteIdempotentAnswersOf } from '../../db/repos/operations/idempotency-keys.ts'
import { eraseTimelines } from '../../db/retention/timeline.ts'
import { RetryLater } from '../../shared/jobs/definition.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { Attempt, WorkerDeps } from '../jobs/handlers.ts'

/** Events from before the erasure pass through batches and a queue. After this time they are stored. */
const lastEventsMs = 120_000

/**
 * Does the parts of the erasure of a user that its transaction cannot do. The log of SQLite contains the old rows until it is emptied, and
 * events of the user's offers and answers for repeated requests can still arrive. The second attempt erases these. The job can run any
 * number of times.
 */
export async function finishErasure(
  { db, emptyLog }: Pick<WorkerDeps, 'db'> & { emptyLog(): Promise<void> },
  { tenantId, userId, offerIds }: Payload<'finishErasure'>,
  attempt: Attempt,
): Promise<void> {
  await db.tx(async (tx) => {
    await eraseTimelines(tx, tenantId, offerIds)
    await deleteIdempotentAnswersOf(tx, tenantId, userId)
  })
  await emptyLog()
  if (attempt.number === 1) throw new RetryLater(lastEventsMs, 'events from before the erasure can still arrive')
  await db.tx((tx) => removeFromOutbox(tx, [userId]))
}
