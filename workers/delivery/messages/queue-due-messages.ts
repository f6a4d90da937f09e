import { findDueSenders, takeDueLines } from '../../../db/repos/messaging/due-lines.ts'
import { countWaitingOf, returnLine } from '../../../db/repos/messaging/outgoing-messages.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import type { WorkerDeps } from '../../jobs/handlers.ts'
import { maxBacklog } from '../fan-out.ts'
import { batchEntries } from '../job-batches.ts'
import { queueTaken } from '../queue-taken.ts'

const maxSenders = 200
/** The lines of one tenant in a second. The others wait in the database, so they do not delay the jobs of other tenants. */
const maxLines = 32

/** Queues due lines of messages. */
export async function queueDueMessages({ db, bus, clock }: WorkerDeps): Promise<void> {
  const at = clock.now()
  const senders = await findDueSenders(db.read, at, maxSenders)
  if (senders.length === 0) return
  const taken = await db.tx(async (tx) => {
    const refs: LineRef[] = []
    for (const tenantId of senders) refs.push(...(await takeDueLines(tx, tenantId, at, maxLines)))
    return refs
  })
  await queueTaken(taken, {
    async queue(tenantId, refs) {
      const priority = await countWaitingOf(db.read, tenantId, maxBacklog)
      await bus.sendMany('sendMessages', batchEntries('sendMessages', refs, priority))
    },
    giveBack: (refs) =>
      db.tx(async (tx) => {
        for (const ref of refs) await returnLine(tx, ref, at)
      }),
  })
}
