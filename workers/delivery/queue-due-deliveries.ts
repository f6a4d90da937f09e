import type { Writer } from '../../db/client.ts'
import { countPending } from '../../db/repos/operations/webhooks/deliveries.ts'
import {
  type DueWebhook,
  findDueWebhooks,
  returnDeliveries,
  takeDueDeliveries,
} from '../../db/repos/operations/webhooks/due-deliveries.ts'
import { pauseIfActive } from '../../db/repos/operations/webhooks/webhook-health.ts'
import { plusMs } from '../../shared/clock.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import type { DeliveryDeps } from './deps.ts'
import { maxBacklog } from './fan-out.ts'
import { isBroken, probePauseMs } from './health.ts'
import { batchEntries } from './job-batches.ts'
import { queueTaken } from './queue-taken.ts'

const maxWebhooks = 200

/**
 * Queues due deliveries. Queues no more deliveries of a webhook than can be attempted until the next run. The others wait in the database,
 * so they do not delay the jobs of other tenants. A broken webhook gets one delivery.
 */
export async function queueDueDeliveries({
  db,
  bus,
  clock,
  attemptLimiter,
}: WorkerDeps & Pick<DeliveryDeps, 'attemptLimiter'>): Promise<void> {
  const at = clock.now()
  const due = await findDueWebhooks(db.read, at, maxWebhooks)
  if (due.length === 0) return
  const taken = await db.tx(async (tx) => {
    const refs: DeliveryRef[] = []
    // Lock order: webhooks by id, then deliveries.
    const probed = await reserveProbes(tx, due, at)
    for (const webhook of due) {
      if (!isBroken(webhook.failures))
        refs.push(...(await takeDueDeliveries(tx, webhook, at, attemptLimiter.capacity(webhook.webhookId))))
      else if (probed.has(webhook.webhookId))
        refs.push(...(await takeDueDeliveries(tx, webhook, at, 1)).map((ref) => ({ ...ref, despitePause: true })))
    }
    return refs
  })
  await queueTaken(taken, {
    async queue(tenantId, refs) {
      const priority = await countPending(db.read, tenantId, maxBacklog)
      await bus.sendMany('deliverWebhooks', batchEntries('deliverWebhooks', refs, priority))
    },
    giveBack(refs) {
      const returned = refs.map((ref) => ({ ...ref, nextAttemptAt: at }))
      return db.tx((tx) => returnDeliveries(tx, returned))
    },
  })
}

/**
 * Pauses the broken webhooks during their next attempt, so that the next run does not queue a second one. Returns the ids of the webhooks
 * that were not paused.
 */
async function reserveProbes(tx: Writer, due: DueWebhook[], at: Date): Promise<Set<string>> {
  const probed = new Set<string>()
  const broken = due.filter(({ failures }) => isBroken(failures))
  for (const { tenantId, webhookId } of broken.sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1)))
    if (await pauseIfActive(tx, tenantId, webhookId, at, plusMs(at, probePauseMs))) probed.add(webhookId)
  return probed
}
