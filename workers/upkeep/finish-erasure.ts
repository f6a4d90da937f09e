import { removeFromOutbox } from '../../db/outbox.ts'
import { eraseTimelines } from '../../db/retention/timeline.ts'
import { RetryLater } from '../../shared/jobs/definition.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { Attempt, WorkerDeps } from '../handlers.ts'

/** Events are reported in batches, and stored by a queue: those of before the erasure have been by then. */
const lastEventsMs = 120_000

/**
 * What the erasure of a user could not do in its transaction: SQLite's log has the rows as they were until it is emptied,
 * and events of the user's offers may still come. Once at once, and again for these. Any number of times, from anywhere.
 */
export async function finishErasure(
  { db, emptyLog }: Pick<WorkerDeps, 'db'> & { emptyLog(): Promise<void> },
  { tenantId, userId, offerIds }: Payload<'finishErasure'>,
  attempt: Attempt,
): Promise<void> {
  await db.tx((tx) => eraseTimelines(tx, tenantId, offerIds))
  await emptyLog()
  if (attempt.number === 1) throw new RetryLater(lastEventsMs, 'events of before the erasure may still come')
  await db.tx((tx) => removeFromOutbox(tx, [userId]))
}
