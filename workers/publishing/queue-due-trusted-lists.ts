import { callOffTrustedList } from '../../db/call-off-trusted-list.ts'
import { findDueTrustedLists, findUnpublishedTrustedLists } from '../../db/repos/ecosystems/automatic-trusted-lists.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'

/** At midnight all are due at once. So few that what else waits to be signed is not behind many. */
const mostAtOnce = 100
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
      due.map(({ tenantId, configurationId, place }) => ({
        payload: { tenantId, configurationId },
        options: { id: `trusted-list-${configurationId}`, priority: place },
      })),
    )
  for (const list of await findUnpublishedTrustedLists(db.read, plusMs(at, -publishedWithinMs), mostAtOnce)) {
    await callOffTrustedList(deps, list)
  }
}
