import { countPending } from '../../db/repos/operations/deliveries.ts'
import { type DueWebhook, findDueWebhooks, takeDueDeliveries } from '../../db/repos/operations/due-deliveries.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import type { DeliveryDeps } from './deps.ts'
import { longestBacklog } from './fan-out.ts'
import { isBroken } from './health.ts'
import { inJobs } from './in-jobs.ts'

const mostWebhooks = 200

/**
 * Queues the deliveries whose time has come, of each webhook no more than can be attempted until this runs again: the rest
 * waits in the database, where it is in nobody's way. A webhook that fails all the time is tried with one.
 */
export async function queueDueDeliveries({ db, bus, clock, gate }: DeliveryDeps): Promise<void> {
  const at = clock.now()
  const due = await findDueWebhooks(db.read, at, mostWebhooks)
  if (due.length === 0) return
  const taken = await db.tx(async (tx) => {
    const refs: DeliveryRef[] = []
    for (const webhook of due) refs.push(...(await takeDueDeliveries(tx, webhook, at, roomOf(webhook))))
    return refs
  })
  for (const [tenantId, refs] of Map.groupBy(taken, (ref) => ref.tenantId)) {
    const priority = await countPending(db.read, tenantId, longestBacklog)
    const entries = inJobs('deliverWebhooks', refs).map((items) => ({ payload: { items }, options: { priority } }))
    await bus.sendMany('deliverWebhooks', entries)
  }

  function roomOf({ webhookId, failures }: DueWebhook): number {
    return isBroken(failures) ? 1 : gate.room(webhookId)
  }
}
