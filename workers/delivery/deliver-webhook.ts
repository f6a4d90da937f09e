import { deleteDelivery, endDelivery, findDeliveryToSend } from '../../db/repos/operations/deliveries.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import { outcomeOf, webhookAttempts, webhookDeliveries } from '../metrics.ts'
import { attemptDelivery } from './attempt.ts'
import type { DeliveryDeps } from './deps.ts'
import { findEvent } from './event.ts'
import type { Turn } from './gate.ts'
import { attemptId, listInterruptedAttempts, type Starts } from './interrupted-attempts.ts'
import { Later } from './later.ts'
import type { Recorder } from './record-attempts.ts'
import { isDelivered, judge } from './schedule.ts'

export interface SendingDeps extends DeliveryDeps {
  record: Recorder
}

/**
 * Makes one attempt at one delivery. Does nothing if the delivery is no longer this job's. Throws `Later` if the delivery has to wait.
 * Attempts that earlier starts of the job made and did not record are listed first, whatever becomes of this one.
 */
export async function deliverWebhook(deps: SendingDeps, ref: DeliveryRef, starts: Starts): Promise<void> {
  if (starts.interruptedStarts > 0) await listInterruptedAttempts(deps.db, ref, starts)
  const turn = await deps.gate.enter(ref.tenantId, ref.webhookId)
  try {
    await deliver(deps, turn, ref, starts)
  } finally {
    turn.end()
  }
}

async function deliver(deps: SendingDeps, turn: Turn, ref: DeliveryRef, starts: Starts): Promise<void> {
  const { db, clock } = deps
  const { tenantId, deliveryId } = ref
  const found = await findDeliveryToSend(db.read, tenantId, deliveryId)
  // Attempted or ended since, or given to another job; jobs of earlier versions have none.
  if (!found?.delivery.queuedUntil || found.delivery.queuedUntil.getTime() !== ref.queuedUntil) return
  // Too late: it may be freed at any moment, and given to another job while this one is under way.
  if (found.delivery.queuedUntil <= clock.now()) throw new Later(0)
  const { delivery, webhook } = found
  if (!webhook) return db.tx((tx) => deleteDelivery(tx, tenantId, deliveryId))
  const event = await findEvent({ db: db.read, secrets: deps.secrets }, delivery)
  const hasEnded = webhook.disabled || delivery.generation < webhook.generation
  if (hasEnded || !event) return db.tx((tx) => endDelivery(tx, tenantId, delivery))
  const pauseMs = (webhook.pausedUntil?.getTime() ?? 0) - clock.now().getTime()
  if (pauseMs > 0 && !ref.despitePause) throw new Later(pauseMs)

  const id = attemptId(ref, starts.starts)
  const { attempt, ...answer } = await attemptDelivery(deps, turn, { id, delivery, url: webhook.url, event })
  const { status } = attempt
  const next = judge({ status, ...answer }, delivery.attemptsMade + 1, clock.now(), deps.retryPausesMs)
  webhookAttempts.observe({ outcome: outcomeOf(status, isDelivered(status)) }, attempt.durationMs / 1000)
  await deps.record(delivery, { attempt, ...next }, webhook.url)
  if (next.state !== 'pending') webhookDeliveries.inc({ outcome: next.state })
}
