import { findChangedLists, findListsToRenew } from '../../db/repos/status/publishing.ts'
import type { WorkerDeps } from '../handlers.ts'

const mostChanged = 1_000
/** So few that changes do not wait long behind them: a day is left for all of them. */
const mostRenewed = 20
const mostLookedAt = 1_000

/**
 * Queues the publication of lists that have changes, or that are to be made anew. A list that waits to be published, or is being published, is
 * not queued again: what changed since is found the next time. Who comes is drawn by lot where there are many, so that lists that fail
 * again and again keep no others waiting.
 */
export async function queueDueLists({ db, bus, clock }: WorkerDeps): Promise<void> {
  const changed = await findChangedLists(db.read)
  const old = await findListsToRenew(db.read, clock.now(), mostLookedAt)
  const due = [...drawn(changed, mostChanged), ...drawn(old, mostRenewed)]
  if (due.length === 0) return
  await bus.sendMany(
    'publishList',
    due.map((ref) => ({ payload: ref, options: { id: `list-${ref.listId}` } })),
  )
}

function drawn<Value>(values: Value[], most: number): Value[] {
  if (values.length <= most) return values
  return values
    .map((value) => ({ value, lot: Math.random() }))
    .sort((one, other) => one.lot - other.lot)
    .slice(0, most)
    .map(({ value }) => value)
}
