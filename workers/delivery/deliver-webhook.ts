import type { OpenIssued } from '../../db/event-payloads.ts'
import { isLost } from '../../db/repos/late-jobs.ts'
import {
  deleteDelivery,
  deliveryQueuedForMs,
  endDelivery,
  findDeliveryToSend,
} from '../../db/repos/operations/webhooks/deliveries.ts'
import { kindsAboutPersons } from '../../shared/domain/operations/change-events.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import { outcomeOf, webhookAttempts, webhookDeliveries } from '../jobs/metrics.ts'
import { attemptDelivery } from './attempt.ts'
import type { AttemptSlot } from './attempt-limiter.ts'
import { AttemptPostponed } from './attempt-postponed.ts'
import type { DeliveryDeps } from './deps.ts'
import { findEvent } from './event.ts'
import { attemptId, type JobStarts, listInterruptedAttempts } from './interrupted-attempts.ts'
import { post } from './post.ts'
import type { AttemptRecorder } from './record-attempts.ts'
import { isDelivered, nextState } from './schedule.ts'
import { requireStream, sendToListener } from './send-to-listener.ts'

export interface SendingDeps extends DeliveryDeps {
  record: AttemptRecorder
  openIssued: OpenIssued
}

/**
 * Makes one attempt at one delivery. Does nothing if the delivery no longer belongs to this job. Throws `AttemptPostponed` if the delivery
 * has to wait. Lists the unrecorded attempts of earlier starts of the job first.
 */
export async function deliverWebhook(deps: SendingDeps, ref: DeliveryRef, starts: JobStarts): Promise<void> {
  if (starts.interruptedStarts > 0) await listInterruptedAttempts(deps.db, ref, starts)
  const slot = await deps.attemptLimiter.acquire(ref.tenantId, ref.webhookId)
  try {
    await deliver(deps, slot, ref, starts)
  } finally {
    slot.release()
  }
}

async function deliver(deps: SendingDeps, slot: AttemptSlot, ref: DeliveryRef, starts: JobStarts): Promise<void> {
  const { db, bus, clock } = deps
  const { tenantId, deliveryId } = ref
  const work = await findDeliveryToSend(db.read, tenantId, deliveryId)
  // The delivery was attempted, has ended, or belongs to another job. Jobs of earlier versions have no `queuedUntil`.
  if (!work?.delivery.queuedUntil || work.delivery.queuedUntil.getTime() !== ref.queuedUntil) return
  // A delivery after this time, or whose job was lost, can be given to another job while its attempt runs.
  const isLostJob = isLost(ref.queuedUntil, await bus.emptiedAt(clock), deliveryQueuedForMs)
  if (isLostJob || work.delivery.queuedUntil <= clock.now()) throw new AttemptPostponed(0)
  if (!tracing) return deliverFound(deps, slot, ref, starts, work)
  const { traceparent } = work.delivery
  const attributes = { 'trustwright.attempt': work.delivery.attemptsMade + 1 }
  const item = { ...ref, traceparent: traceparent ?? undefined }
  await tracing.consume('webhook delivery', attributes, [item], () => deliverFound(deps, slot, ref, starts, work))
}

type Found = NonNullable<Awaited<ReturnType<typeof findDeliveryToSend>>>

async function deliverFound(
  deps: SendingDeps,
  slot: AttemptSlot,
  ref: DeliveryRef,
  starts: JobStarts,
  { delivery, webhook }: Found,
): Promise<void> {
  const { db, clock } = deps
  const { tenantId, deliveryId } = ref
  if (!webhook) return db.tx((tx) => deleteDelivery(tx, tenantId, deliveryId))
  const event = await findEvent({ db: db.read, openIssued: deps.openIssued }, delivery)
  const isLeased = requireStream(webhook, clock.now())
  const hasEnded = webhook.disabled || !isLeased || delivery.generation < webhook.generation
  if (hasEnded || !event) return db.tx((tx) => endDelivery(tx, tenantId, delivery))
  const pauseMs = (webhook.pausedUntil?.getTime() ?? 0) - clock.now().getTime()
  if (pauseMs > 0 && !ref.despitePause) throw new AttemptPostponed(pauseMs)

  const id = attemptId(ref, starts.starts)
  const send = (url: string, headers: Record<string, string>, body: string) =>
    webhook.leasedUntil === null ? post(deps, url, headers, body) : sendToListener(deps, delivery, url, headers, body)
  const { attempt, ...answer } = await attemptDelivery(deps, slot, { id, delivery, url: webhook.url, event, send })
  const { status } = attempt
  const next = nextState({ status, ...answer }, delivery.attemptsMade + 1, clock.now(), deps.retryPausesMs)
  webhookAttempts.observe({ outcome: outcomeOf(status, isDelivered(status)) }, attempt.durationMs / 1000)
  const { answer: _answer, ...withoutAnswer } = attempt
  const recorded = kindsAboutPersons.has(delivery.kind) ? withoutAnswer : attempt
  await deps.record(delivery, { attempt: recorded, ...next }, webhook.url)
  if (next.state !== 'pending') webhookDeliveries.inc({ outcome: next.state })
}
