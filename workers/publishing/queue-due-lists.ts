import { findChangedLists, findListsToRenew } from '../../db/repos/status/publishing.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

const maxChanged = 1_000
/** Few renewals at a time, so that they do not delay changed lists. A renewal has a day until the list ends. */
const maxRenewed = 20
const maxRenewalsRead = 1_000

/**
 * Queues the publication of lists that have changes or must be renewed. A list whose job waits or runs is not queued again. A later run finds
 * its later changes. If there are too many lists, a random sample is queued, so that failing lists do not block others.
 */
export async function queueDueLists({ db, bus, clock }: WorkerDeps): Promise<void> {
  const changed = await findChangedLists(db.read)
  const old = await findListsToRenew(db.read, clock.now(), maxRenewalsRead)
  const due = [...sample(changed, maxChanged), ...sample(old, maxRenewed)]
  if (due.length === 0) return
  await bus.sendMany(
    'publishList',
    due.map((ref) => ({ payload: ref, options: { id: `list-${ref.listId}` } })),
  )
}

function sample<Value>(values: Value[], max: number): Value[] {
  if (values.length <= max) return values
  return values
    .map((value) => ({ value, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, max)
    .map(({ value }) => value)
}
