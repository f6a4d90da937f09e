import type { Database } from '../../db/client.ts'
import { addAttempts, deliveryQueuedForMs, findDeliveryToSend } from '../../db/repos/operations/webhooks/deliveries.ts'
import type { DeliveryAttempt } from '../../db/tables/operations/deliveries.ts'
import { derivedId } from '../../shared/ids.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import type { Attempt } from '../jobs/handlers.ts'

export type JobStarts = Pick<Attempt, 'starts' | 'interruptedStarts'>

/**
 * Derives the id of an attempt from its delivery, its job and the job's start. A later start can name the attempts of
 * earlier ones.
 */
export function attemptId({ deliveryId, queuedUntil }: DeliveryRef, start: number): string {
  return derivedId('attempt', deliveryId, String(queuedUntil), String(start))
}

/**
 * Adds the attempts of workers that ended before they recorded them to the delivery's list. Each attempt may or may not have been sent. An
 * attempt that is listed is not added again. Does nothing if the delivery no longer belongs to this job.
 */
export async function listInterruptedAttempts(db: Database, ref: DeliveryRef, starts: JobStarts): Promise<void> {
  const work = await findDeliveryToSend(db.read, ref.tenantId, ref.deliveryId)
  if (work?.delivery.queuedUntil?.getTime() !== ref.queuedUntil) return
  const listed = new Set(work.delivery.attempts.map(({ id }) => id))
  const missing = interruptedAttempts(ref, starts).filter(({ id }) => !listed.has(id))
  if (missing.length > 0) await db.tx((tx) => addAttempts(tx, work.delivery, missing))
}

/** Returns the interrupted attempts. Their time is the time at which their job was queued, because no later time was stored. */
function interruptedAttempts(ref: DeliveryRef, { starts, interruptedStarts }: JobStarts): DeliveryAttempt[] {
  const at = new Date(ref.queuedUntil - deliveryQueuedForMs).toISOString()
  return Array.from({ length: interruptedStarts }, (_, index) => ({
    id: attemptId(ref, starts - interruptedStarts + index),
    at,
    durationMs: 0,
    error: 'The worker ended before it recorded this attempt. The attempt may or may not have been sent.',
  }))
}
