import { findDueTrustedLists, findUnpublishedTrustedLists } from '../../db/repos/ecosystems/automatic-trusted-lists.ts'
import { cancelTrustedList } from '../../db/repos/ecosystems/cancel-trusted-list.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/**
 * The publications that a run queues. At midnight all lists are due. A run every 10 s queues 100 a second, which a signing process can do.
 * Status lists and other jobs of the queue have priority.
 */
const maxPerRun = 1_000
/** The unpublished lists that a run removes. */
const maxCancelled = 100
/** Longer than the deadline of any request. */
const publishedWithinMs = 60_000

/**
 * Queues the automatic publication of due trusted lists, the tenants round robin and after status lists. Removes lists that were not
 * published in time because the requesting process ended.
 */
export async function queueDueTrustedLists(deps: WorkerDeps): Promise<void> {
  const { db, bus, clock } = deps
  const at = clock.now()
  const due = await findDueTrustedLists(db.read, at, maxPerRun)
  if (due.length > 0)
    await bus.sendMany(
      'publishDueTrustedList',
      due.map(({ tenantId, configurationId, rank }) => ({
        payload: { tenantId, configurationId },
        options: { id: `trusted-list-${configurationId}`, priority: rank },
      })),
    )
  for (const list of await findUnpublishedTrustedLists(db.read, plusMs(at, -publishedWithinMs), maxCancelled)) {
    await cancelTrustedList(deps, list)
  }
}
