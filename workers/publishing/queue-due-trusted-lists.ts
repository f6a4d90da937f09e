import { findDueTrustedLists, findUnpublishedTrustedLists } from '../../db/repos/ecosystems/automatic-trusted-lists.ts'
import { cancelTrustedList } from '../../db/repos/ecosystems/cancel-trusted-list.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'

/**
 * How many publications a run queues. At midnight all are due at once: a run every 10 s queues 100 a second, which a signing process can
 * do. Status lists and other jobs of the queue come first.
 */
const mostAtOnce = 1_000
/** How many lists a run takes away that were never published. */
const mostCalledOff = 100
/** Longer than any request waits. */
const publishedWithinMs = 60_000

/**
 * Queues the publication of trusted lists that are due by themselves, the tenants in turn and behind status lists, and takes away what was never
 * published because the process that asked for it died.
 */
export async function queueDueTrustedLists(deps: WorkerDeps): Promise<void> {
  const { db, bus, clock } = deps
  const at = clock.now()
  const due = await findDueTrustedLists(db.read, at, mostAtOnce)
  if (due.length > 0)
    await bus.sendMany(
      'publishDueTrustedList',
      due.map(({ tenantId, configurationId, rank }) => ({
        payload: { tenantId, configurationId },
        options: { id: `trusted-list-${configurationId}`, priority: rank },
      })),
    )
  for (const list of await findUnpublishedTrustedLists(db.read, plusMs(at, -publishedWithinMs), mostCalledOff)) {
    await cancelTrustedList(deps, list)
  }
}
