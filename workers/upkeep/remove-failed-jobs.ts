import type { Bus } from '../../shared/jobs/bus.ts'
import { failuresKeptSeconds, queues } from '../../shared/jobs/definition.ts'

/** The failed jobs of a queue that one call removes at most. */
const maxRemoved = 1_000

/**
 * Removes failed jobs that are older than a week. A queue removes them itself when its next job fails, which can be much later. Returns the
 * number of removed jobs.
 */
export async function removeFailedJobs({ queue }: Pick<Bus, 'queue'>): Promise<number> {
  const removed = await Promise.all(
    queues.map((name) => queue(name).clean(failuresKeptSeconds * 1_000, maxRemoved, 'failed')),
  )
  return removed.flat().length
}
