import { findDueSenders, takeDueLines } from '../../../db/repos/messaging/due-lines.ts'
import { countWaitingOf } from '../../../db/repos/messaging/outgoing-messages.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import type { DeliveryDeps } from '../deps.ts'
import { longestBacklog } from '../fan-out.ts'
import { inJobs } from '../in-jobs.ts'

const mostSenders = 200
/** Of one tenant, each second; the others wait in the database, where they are in nobody's way. */
const mostLines = 32

/** Queues the lines of messages whose time has come. */
export async function queueDueMessages({ db, bus, clock }: DeliveryDeps): Promise<void> {
  const at = clock.now()
  const senders = await findDueSenders(db.read, at, mostSenders)
  if (senders.length === 0) return
  const taken = await db.tx(async (tx) => {
    const refs: LineRef[][] = []
    for (const tenantId of senders) refs.push(await takeDueLines(tx, tenantId, at, mostLines))
    return refs
  })
  for (const [position, tenantId] of senders.entries()) {
    const priority = await countWaitingOf(db.read, tenantId, longestBacklog)
    const entries = inJobs('sendMessages', taken[position] ?? []).map((items) => ({
      payload: { items },
      options: { priority },
    }))
    await bus.sendMany('sendMessages', entries)
  }
}
