import { queuedForMs } from '../../db/repos/operations/deliveries.ts'
import type { DeliveryAttempt } from '../../db/tables/operations/deliveries.ts'
import { derivedId } from '../../shared/ids.ts'
import type { DeliveryRef } from '../../shared/jobs/payloads.ts'
import type { Attempt } from '../handlers.ts'

export type Starts = Pick<Attempt, 'starts' | 'interruptedStarts'>

/**
 * Derives the id of an attempt from its delivery, its job and the job's start. A later start can name the attempts of
 * earlier ones.
 */
export function attemptId({ deliveryId, queuedUntil }: DeliveryRef, start: number): string {
  return derivedId('attempt', deliveryId, String(queuedUntil), String(start))
}

/**
 * Lists the attempts of workers that ended before they recorded them. The receiver may have got each of them. The time
 * of such an attempt is when its job was queued, because nothing later was stored.
 */
export function interruptedAttempts(ref: DeliveryRef, { starts, interruptedStarts }: Starts): DeliveryAttempt[] {
  const at = new Date(ref.queuedUntil - queuedForMs).toISOString()
  return Array.from({ length: interruptedStarts }, (_, index) => ({
    id: attemptId(ref, starts - interruptedStarts + index),
    at,
    durationMs: 0,
    error: 'The worker ended before it recorded this attempt. The receiver may have got it.',
  }))
}
