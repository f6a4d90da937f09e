import { countPending } from '../../db/repos/operations/deliveries.ts'
import { type DueWebhook, findDueWebhooks, takeDueDeliveries } from '../../db/repos/operations/due-deliveries.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import type { DeliveryDeps } from './deps.ts'
import { maxBacklog } from './fan-out.ts'
import { isBroken } from './health.ts'
import { batchEntries } from './job-batches.ts'

const maxWebhooks = 200

/**
 * Queues due deliveries. Queues no more deliveries of a webhook than can be attempted until the next run. The others wait in the database,
 * so they do not delay the jobs of other tenants. A broken webhook gets one delivery.
 */
export async function queueDueDeliveries({ db, bus, clock, attemptLimiter }: DeliveryDeps): Promise<void> {
  const at = clock.now()
  const due = await findDueWebhooks(db.read, at, maxWebhooks)
  if (due.length === 0) return
  const taken = await db.tx(async (tx) => {
    const refs: DeliveryRef[] = []
    for (const webhook of due) refs.push(...(await takeDueDeliveries(tx, webhook, at, maxDeliveriesOf(webhook))))
    return refs
  })
  for (const [tenantId, refs] of Map.groupBy(taken, (ref) => ref.tenantId)) {
    const priority = await countPending(db.read, tenantId, maxBacklog)
    await bus.sendMany('deliverWebhooks', batchEntries('deliverWebhooks', refs, priority))
  }

  function maxDeliveriesOf({ webhookId, failures }: DueWebhook): number {
    return isBroken(failures) ? 1 : attemptLimiter.capacity(webhookId)
  }
}
